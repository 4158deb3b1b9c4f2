/**
 * The autoscaler of a cluster, played: while the Deployment `cluster-autoscaler` is available it asks the address in its
 * secret, with the three commands of the real provider and its plain signature, and follows the load that a test sets.
 */
import { type JsonObject, numberAt, objectsAt, textAt } from '@/simulator/core/json';
import { latencyMs } from '@/simulator/core/latency';
import { callCloudStack } from './autoscaler-client';
import type { ClusterRuntime } from './cluster-runtime';
import { cloudConfigOf } from './controllers/components';
import { deployments, pods } from './resources';

interface Group {
  min: number;
  max: number;
  clusterId: string;
  secretName: string;
}

/** How many pods of the load a worker holds. */
const podsPerWorker = 10;
/** A loop that polls a job looks this often, and gives up after an hour. */
const pollAttempts = 360;

function findGroup(deployment: JsonObject): Group | null {
  const containers = objectsAt(deployment, 'spec', 'template', 'spec', 'containers');
  const words = containers
    .flatMap((container) => [container['command'], container['args']])
    .flat()
    .filter((word) => typeof word === 'string');
  const nodes = words.map((word) => /^--nodes=(\d+):(\d+):(.+)$/.exec(word)).find((match) => match !== null);
  const volumes = objectsAt(deployment, 'spec', 'template', 'spec', 'volumes');
  const secretName = volumes.map((volume) => textAt(volume, 'secret', 'secretName')).find((name) => name !== undefined);
  if (nodes === undefined || nodes === null || secretName === undefined) return null;
  return { min: Number(nodes[1]), max: Number(nodes[2]), clusterId: nodes[3] ?? '', secretName };
}

/** What the loop wants: workers enough for the load, within the bounds; null leaves everything as it is. */
function wantedSize(runtime: ClusterRuntime, cluster: JsonObject, group: Group): number | null {
  const size = numberAt(cluster, 'size');
  if (size === undefined) return null;
  const least = numberAt(cluster, 'minsize') || group.min;
  const most = numberAt(cluster, 'maxsize') || group.max;
  const waiting = runtime.store
    .list(pods)
    .filter(
      (pod) => textAt(pod, 'status', 'phase') === 'Pending' && textAt(pod, 'spec', 'nodeName') === undefined,
    ).length;
  const { loadPods } = runtime.cluster;
  if (loadPods === null && waiting === 0) return null;
  const forLoad = loadPods === null ? size : Math.ceil(loadPods / podsPerWorker);
  return Math.min(most, Math.max(least, forLoad, size < most && waiting > 0 ? size + 1 : 0));
}

async function scale(
  runtime: ClusterRuntime,
  config: Record<string, string>,
  cluster: JsonObject,
  wanted: number,
): Promise<void> {
  const size = numberAt(cluster, 'size') ?? 0;
  const id = textAt(cluster, 'id') ?? '';
  if (wanted === size) return;
  const parameters: Record<string, string> = { id };
  if (wanted > size) parameters['size'] = String(wanted);
  else {
    const workers = objectsAt(cluster, 'virtualmachines').map((machine) => textAt(machine, 'id') ?? '');
    const removable = workers.filter(
      (machineId) => runtime.world.records.get('machine', machineId)?.inside.role === 'worker',
    );
    const leaving = removable.slice(wanted - size);
    // The real one sends an empty list for machines it knows nothing about; here there is nothing to send.
    if (leaving.length === 0) return;
    parameters['nodeids'] = leaving.join(',');
  }
  runtime.world.ledger.control('autoscaler asks', { cluster: runtime.cluster.id, ...parameters });
  const answer = await callCloudStack(config, 'scaleKubernetesCluster', parameters);
  const jobId = textAt(answer, 'jobid');
  for (let attempt = 0; jobId !== undefined && attempt < pollAttempts; attempt += 1) {
    await runtime.world.clock.sleep(latencyMs.autoscalerLoop);
    const job = await callCloudStack(config, 'queryAsyncJobResult', { jobid: jobId });
    if (numberAt(job, 'jobstatus') !== 0) return;
  }
}

async function loop(runtime: ClusterRuntime): Promise<void> {
  const deployment = runtime.store.find(deployments, 'kube-system', 'cluster-autoscaler');
  if (deployment === undefined || (numberAt(deployment, 'status', 'availableReplicas') ?? 0) === 0) return;
  const group = findGroup(deployment);
  const config = group === null ? null : cloudConfigOf(runtime, group.secretName);
  if (group === null || config === null) return;
  const answer = await callCloudStack(config, 'listKubernetesClusters', { id: group.clusterId });
  const [cluster] = objectsAt(answer, 'kubernetescluster');
  if (cluster === undefined) return;
  const wanted = wantedSize(runtime, cluster, group);
  if (wanted !== null) await scale(runtime, config, cluster, wanted);
}

/** Starts the loop where the Deployment is there; one loop a cluster, also while it waits for a job. */
export function runAutoscaler(runtime: ClusterRuntime): void {
  if (runtime.autoscalerBusy || runtime.store.find(deployments, 'kube-system', 'cluster-autoscaler') === undefined)
    return;
  runtime.after('autoscaler', latencyMs.autoscalerLoop, () => {
    runtime.autoscalerBusy = true;
    loop(runtime)
      .catch((error: unknown) =>
        runtime.world.ledger.control('autoscaler failed', {
          cluster: runtime.cluster.id,
          reason: error instanceof Error ? error.message : String(error),
        }),
      )
      .finally(() => {
        runtime.autoscalerBusy = false;
        runtime.wake();
      });
  });
}
