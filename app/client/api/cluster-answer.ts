import type { ScalableCluster, ScalableMachine, ScalerJob } from '@/db/queries/autoscaler';
import { expiryTime } from '@/infrastructure/signature';

/** A cluster as CloudStack's autoscaler reads it (cloud.md D.8): `size` counts workers; bounds are left out while they are off. */
export function clusterAnswer(cluster: ScalableCluster): Readonly<Record<string, unknown>> {
  const { bounds } = cluster;
  return {
    id: cluster.id,
    name: cluster.name,
    state: cluster.state,
    size: cluster.workerCount,
    masternodes: cluster.controlCount,
    controlnodes: cluster.controlCount,
    autoscalingenabled: bounds !== null,
    ...(bounds === null ? {} : { minsize: bounds.min, maxsize: bounds.max }),
    virtualmachines: cluster.machines.map(({ machineId, name, stage }) => ({
      id: machineId,
      name,
      state: machineStates[stage],
    })),
  };
}

const machineStates: Readonly<Record<ScalableMachine['stage'], string>> = {
  planned: 'Starting',
  built: 'Starting',
  ready: 'Running',
  removing: 'Stopping',
};

/** What "anything unexpected, and everything that fails inside a job" is called. */
const jobFailed = 530;
const scaleCommand = 'org.apache.cloudstack.api.command.user.kubernetes.cluster.ScaleKubernetesClusterCmd';

/** A job as `queryAsyncJobResult` shows it: 0 under way, 1 done with the cluster as it is now, 2 failed with the reason. */
export function jobAnswer(job: ScalerJob, cluster: ScalableCluster): Readonly<Record<string, unknown>> {
  return {
    jobid: job.id,
    cmd: job.kind === 'scale' ? scaleCommand : job.kind,
    jobprocstatus: 0,
    jobresulttype: 'object',
    jobinstancetype: 'KubernetesCluster',
    jobinstanceid: cluster.id,
    created: expiryTime(job.acceptedAt),
    ...(job.finishedAt === null ? {} : { completed: expiryTime(job.finishedAt) }),
    ...outcome(job, cluster),
  };
}

function outcome(job: ScalerJob, cluster: ScalableCluster): Readonly<Record<string, unknown>> {
  switch (job.status) {
    case 'in_progress':
    case 'waiting':
      return { jobstatus: 0, jobresultcode: 0 };
    case 'succeeded':
      return { jobstatus: 1, jobresultcode: 0, jobresult: { kubernetescluster: clusterAnswer(cluster) } };
    case 'failed':
    case 'cancelled':
      return {
        jobstatus: 2,
        jobresultcode: jobFailed,
        jobresult: { errorcode: jobFailed, errortext: job.message ?? 'It did not succeed.' },
      };
  }
}
