import type { AutoscalerCaller } from '@/auth/autoscaler-key';
import { namedIn } from '@/auth/autoscaler-key';
import type { ScalableCluster } from '@/db/queries/autoscaler';
import { scaleInput } from '@/domain/requests';
import { accepted, type Result, refused } from '@/domain/result';
import type { Parameters } from '@/infrastructure/signature';
import { acceptOperation } from '@/worker/accept';
import type { WorkerContext } from '@/worker/context';
import { answer, failure, unknownId } from './cloudstack-answer';

const command = 'scaleKubernetesCluster';

/** Parts of CloudStack's command that an autoscaler has no business with; ignoring them would do half of what was asked. */
const notServed = ['serviceofferingid', 'nodeofferings', 'autoscalingenabled', 'minsize', 'maxsize'] as const;

/** Asks for an ordinary scale, as the autoscaler. A refusal is 431 with the reason that people are told. */
export async function scale(
  worker: WorkerContext,
  caller: AutoscalerCaller,
  parameters: Parameters,
  cluster: ScalableCluster,
): Promise<Response> {
  const id = namedIn(parameters, 'id');
  if (id === undefined || id === '') return failure(command, 431, 'Missing parameter id.');
  if (id.toLowerCase() !== cluster.id) return unknownId(command, { field: 'id', value: id });
  const wanted = wantedChange(parameters, cluster);
  if (!wanted.ok) return failure(command, 431, wanted.refusal);
  const parsed = scaleInput.safeParse(wanted.value);
  if (!parsed.success) return failure(command, 431, parsed.error.issues.map((issue) => issue.message).join(' '));
  const request = { kind: 'scale', clusterId: caller.clusterId, input: { ...parsed.data }, note: null } as const;
  const outcome = await acceptOperation(worker, caller.actor, request);
  if (outcome.ok) return answer(command, { jobid: outcome.value.jobId });
  return failure(command, outcome.refusal.code === 'unavailable' ? 503 : 431, outcome.refusal.message);
}

type Wanted = { readonly workerCount: number } | { readonly nodeIds: readonly string[] };

/**
 * `size`, or `nodeids` as machine ids. Named but empty is refused: that is what the autoscaler sends for a machine of which it knows
 * nothing, and it must never be read as "any node".
 */
function wantedChange(parameters: Parameters, cluster: ScalableCluster): Result<Wanted, string> {
  const other = notServed.find((name) => namedIn(parameters, name) !== undefined);
  if (other !== undefined) return refused(`An autoscaler may only change the number of workers, not ${other}.`);
  const size = namedIn(parameters, 'size');
  const nodeIds = namedIn(parameters, 'nodeids');
  if (size !== undefined && nodeIds !== undefined) return refused('Give size or nodeids, not both.');
  if (size !== undefined) {
    return /^\d{1,9}$/.test(size) ? accepted({ workerCount: Number(size) }) : refused('size is a whole number.');
  }
  if (nodeIds === undefined) return refused('Give size or nodeids.');
  const machineIds = nodeIds
    .split(',')
    .map((machineId) => machineId.trim())
    .filter((machineId) => machineId !== '');
  if (machineIds.length === 0) return refused('nodeids is empty: name the machines that are to leave.');
  const nodes = machineIds.map((machineId) => cluster.machines.find((each) => each.machineId === machineId)?.nodeId);
  const known = nodes.filter((nodeId) => nodeId !== undefined);
  return known.length === nodes.length
    ? accepted({ nodeIds: known })
    : refused('Some of these machines are not in the cluster.');
}
