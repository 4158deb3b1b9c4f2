/** Jobs: pods until one succeeds, too many failed, or the time is up; gone after their time to live. */
import { isObject, numberAt, pick, textAt } from '@/simulator/core/json';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { deleteObject } from '@/simulator/kubernetes/deletion';
import {
  conditionOf,
  isTerminating,
  type KubeObject,
  nameOf,
  namespaceOf,
  part,
  uidOf,
  withCondition,
} from '@/simulator/kubernetes/objects';
import { jobs, pods } from '@/simulator/kubernetes/resources';
import { createPod, isActive, ownedBy, phaseOf } from './owned-pods';

function finish(runtime: ClusterRuntime, job: KubeObject, type: 'Complete' | 'Failed', reason: string): void {
  const current = runtime.store.find(jobs, namespaceOf(job), nameOf(job));
  if (current === undefined || uidOf(current) !== uidOf(job) || isOver(current)) return;
  const now = runtime.world.clock.iso();
  runtime.store.setStatus(jobs, current, {
    active: 0,
    conditions: withCondition(current, now, { type, status: 'True', reason }),
    ...(type === 'Complete' ? { completionTime: now } : {}),
  });
  for (const pod of ownedBy(runtime, pods, job)) if (isActive(pod)) deleteObject(runtime, pods, pod);
}

const isOver = (job: KubeObject): boolean =>
  conditionOf(job, 'Complete') !== undefined || conditionOf(job, 'Failed') !== undefined;

function expire(runtime: ClusterRuntime, job: KubeObject): void {
  const seconds = numberAt(job, 'spec', 'ttlSecondsAfterFinished');
  if (seconds === undefined) return;
  runtime.after(`ttl/${uidOf(job)}`, seconds * 1_000, () => {
    const current = runtime.store.find(jobs, namespaceOf(job), nameOf(job));
    if (current !== undefined && uidOf(current) === uidOf(job)) deleteObject(runtime, jobs, current);
  });
}

function newJobPod(runtime: ClusterRuntime, job: KubeObject): void {
  createPod(runtime, job, (pod) => {
    const labels = part(part(pod, 'metadata'), 'labels');
    Object.assign(labels, {
      'job-name': nameOf(job),
      'batch.kubernetes.io/job-name': nameOf(job),
      'controller-uid': uidOf(job),
    });
    const spec = pod['spec'];
    if (isObject(spec) && textAt(spec, 'restartPolicy') === 'Always') spec['restartPolicy'] = 'Never';
  });
}

function runOne(runtime: ClusterRuntime, job: KubeObject): void {
  if (isOver(job)) {
    expire(runtime, job);
    return;
  }
  const owned = ownedBy(runtime, pods, job);
  const failed = owned.filter((pod) => phaseOf(pod) === 'Failed').length;
  const succeeded = owned.filter((pod) => phaseOf(pod) === 'Succeeded').length;
  const deadline = numberAt(job, 'spec', 'activeDeadlineSeconds');
  if (deadline !== undefined)
    runtime.after(`deadline/${uidOf(job)}`, deadline * 1_000, () => finish(runtime, job, 'Failed', 'DeadlineExceeded'));
  const active = owned.filter(isActive).length;
  const startTime = textAt(job, 'status', 'startTime') ?? runtime.world.clock.iso();
  const current = runtime.store.setStatus(jobs, job, { active, failed, succeeded, startTime }) ?? job;
  if (succeeded >= (numberAt(job, 'spec', 'completions') ?? 1)) {
    finish(runtime, current, 'Complete', '');
    return;
  }
  if (failed > (numberAt(job, 'spec', 'backoffLimit') ?? 6)) {
    finish(runtime, current, 'Failed', 'BackoffLimitExceeded');
    return;
  }
  const waiting = owned.some((pod) => isActive(pod) || isTerminating(pod));
  if (waiting || pick(job, 'spec', 'suspend') === true) return;
  if (failed === 0) {
    newJobPod(runtime, job);
    return;
  }
  runtime.after(`again/${uidOf(job)}/${failed}`, 10_000 * 2 ** (failed - 1), () => {
    const now = runtime.store.find(jobs, namespaceOf(job), nameOf(job));
    if (now !== undefined && uidOf(now) === uidOf(job) && !isOver(now)) newJobPod(runtime, now);
  });
}

export function runJobs(runtime: ClusterRuntime): void {
  for (const job of runtime.store.list(jobs)) if (!isTerminating(job)) runOne(runtime, job);
}
