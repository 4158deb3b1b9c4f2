import { type AutoscalerCaller, namedIn } from '@/auth/autoscaler-key';
import { jobOfCluster, type ScalableCluster } from '@/db/queries/autoscaler';
import type { Parameters } from '@/infrastructure/signature';
import type { WorkerContext } from '@/worker/context';
import { answer, failure, unknownId } from './cloudstack-answer';
import { clusterAnswer, jobAnswer } from './cluster-answer';
import { scale } from './scale';

interface Call {
  readonly worker: WorkerContext;
  readonly caller: AutoscalerCaller;
  readonly parameters: Parameters;
  /** The caller's own, read for this request. */
  readonly cluster: ScalableCluster;
}

interface Served {
  readonly description: string;
  readonly isAsync: boolean;
  readonly params: readonly { readonly name: string; readonly type: string; readonly required: boolean }[];
  readonly run: (call: Call) => Promise<Response> | Response;
}

/** Everything that the facade serves: what CloudStack's autoscaler calls, and the list of it. */
export const served: Readonly<Record<string, Served>> = {
  listApis: {
    description: 'lists the commands that this key may call',
    isAsync: false,
    params: [{ name: 'name', type: 'string', required: false }],
    run: ({ parameters }) => listApis(namedIn(parameters, 'name')),
  },
  listKubernetesClusters: {
    description: 'lists the cluster of this key',
    isAsync: false,
    params: [{ name: 'id', type: 'uuid', required: false }],
    run: ({ parameters, cluster }) => listClusters(namedIn(parameters, 'id'), cluster),
  },
  scaleKubernetesCluster: {
    description: 'changes the number of workers, within the bounds of autoscaling',
    isAsync: true,
    params: [
      { name: 'id', type: 'uuid', required: true },
      { name: 'size', type: 'long', required: false },
      { name: 'nodeids', type: 'list', required: false },
    ],
    run: ({ worker, caller, parameters, cluster }) => scale(worker, caller, parameters, cluster),
  },
  queryAsyncJobResult: {
    description: 'tells how far a job of the cluster is',
    isAsync: false,
    params: [{ name: 'jobid', type: 'uuid', required: true }],
    run: ({ worker, parameters, cluster }) => queryJob(worker, namedIn(parameters, 'jobid'), cluster),
  },
};

function listApis(name: string | undefined): Response {
  const api = Object.entries(served)
    .filter(([command]) => name === undefined || command.toLowerCase() === name.toLowerCase())
    .map(([command, { description, isAsync, params }]) => ({
      name: command,
      description,
      isasync: isAsync,
      params,
      response: [],
    }));
  return answer('listApis', api.length === 0 ? {} : { count: api.length, api });
}

function listClusters(id: string | undefined, cluster: ScalableCluster): Response {
  const command = 'listKubernetesClusters';
  if (id !== undefined && id !== '' && id.toLowerCase() !== cluster.id)
    return unknownId(command, { field: 'id', value: id });
  return answer(command, { count: 1, kubernetescluster: [clusterAnswer(cluster)] });
}

const jobId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function queryJob(worker: WorkerContext, id: string | undefined, cluster: ScalableCluster): Promise<Response> {
  const command = 'queryAsyncJobResult';
  if (id === undefined || id === '') return failure(command, 431, 'Missing parameter jobid.');
  const job = jobId.test(id) ? await jobOfCluster(worker.db, { clusterId: cluster.id, jobId: id }) : undefined;
  if (job === undefined) return unknownId(command, { field: 'jobid', value: id });
  return answer(command, jobAnswer(job, cluster));
}
