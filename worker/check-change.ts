import { clusterFacts } from '@/db/clusters';
import type { Actor } from '@/domain/actor';
import type { OperationKind } from '@/domain/operations';
import type { AddNodesInput, AutoscaleInput, RemoveNodesInput, ScaleInput, UpgradeInput } from '@/domain/requests';
import { CloudError } from '@/infrastructure/cloud';
import { checkAddNodes, checkDelete, checkRemoveNodes } from './check-membership';
import type { ChangeCheck, Checked } from './check-outcome';
import { checkAutoscale, checkScale } from './check-scale';
import { checkUpgrade } from './check-upgrade';

/** All that a change asks of the cloud before it is accepted may take this long (design section 5). */
const checkMs = 5_000;

/**
 * What a change must be beyond its schema (cluster-semantics 2.4 to 2.7): against what is recorded, and, bounded to five seconds, against
 * the cloud. Changes nothing. Undefined: there is no such cluster.
 */
export async function checkChange(
  worker: Checked,
  request: { kind: OperationKind; clusterId: string; input: Readonly<Record<string, unknown>> },
  actor: Actor,
): Promise<ChangeCheck | undefined> {
  const facts = await clusterFacts(worker.db, request.clusterId);
  if (facts === undefined) return undefined;
  const signal = AbortSignal.timeout(checkMs);
  try {
    switch (request.kind) {
      case 'scale':
        return await checkScale(worker, facts, request.input as ScaleInput, { actor, signal });
      case 'autoscale':
        return checkAutoscale(facts, request.input as AutoscaleInput);
      case 'upgrade':
        return await checkUpgrade(worker, facts, request.input as UpgradeInput, signal);
      case 'add-nodes':
        return await checkAddNodes(worker, facts, request.input as AddNodesInput, signal);
      case 'remove-nodes':
        return checkRemoveNodes(facts, request.input as RemoveNodesInput);
      case 'delete':
        return await checkDelete(worker, facts, signal);
      default:
        return { kind: 'fine', direction: 'up' };
    }
  } catch (error) {
    if (error instanceof CloudError)
      return { kind: 'cloud', message: `The cloud could not be asked: ${error.message} Nothing was changed.` };
    if (signal.aborted)
      return { kind: 'cloud', message: `The cloud did not answer within ${checkMs / 1000} s. Nothing was changed.` };
    throw error;
  }
}
