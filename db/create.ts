import { sql } from 'drizzle-orm';
import type { CreateInput } from '@/domain/requests';
import type { Database } from './client';
import { enterIn } from './entry';
import { violatesUnique } from './errors';
import { recordEvent } from './events';
import type { Hold } from './holds';
import { insertFinishedJob, type NewJob } from './jobs';
import { rolledBackWhenMissed } from './missed';
import { clusterComponents, clusters } from './schema/clusters';

export type Created =
  | { readonly kind: 'started'; readonly hold: Hold }
  | { readonly kind: 'resting' }
  | { readonly kind: 'name-taken' }
  /** This server is not live (any more). */
  | { readonly kind: 'missed' };

/**
 * Writes a cluster's row and, with *start now*, takes it for the create in the same transaction; without, it rests in Created with a
 * job that is complete already.
 */
export async function createCluster(
  db: Database,
  wanted: { clusterId: string; input: CreateInput; zoneName: string; job: NewJob; serverId: string },
): Promise<Created> {
  const { clusterId, input, job, serverId } = wanted;
  try {
    const outcome = await rolledBackWhenMissed(() =>
      db.transaction(async (tx): Promise<Created> => {
        await tx.insert(clusters).values(row(wanted));
        await tx.insert(clusterComponents).values([
          { clusterId, component: 'dashboard', wanted: true },
          { clusterId, component: 'cloud-provider', wanted: true },
          { clusterId, component: 'csi-driver', wanted: input.csiEnabled },
          { clusterId, component: 'autoscaler', wanted: false },
        ]);
        if (!input.startNow) {
          const message = `${input.name} is recorded. Start it to build it.`;
          await insertFinishedJob(tx, job, message);
          await recordEvent(tx, {
            type: 'operation.accepted',
            result: 'ok',
            actor: job.actor,
            clusterId,
            clusterName: input.name,
            jobId: job.id,
            summary: `${input.name} recorded; it is not built until it is started`,
          });
          return { kind: 'resting' };
        }
        const hold = await enterIn(tx, {
          asRead: { clusterId, state: 'Created', operationId: null, operationSeq: 0 },
          clusterName: input.name,
          job,
          serverId,
          move: { event: 'StartRequested', to: 'Starting' },
          failureEvent: 'OperationFailed', // REC-5; a step that fails while its server lives fires its own event
        });
        return { kind: 'started', hold };
      }),
    );
    return outcome ?? { kind: 'missed' };
  } catch (error) {
    if (violatesUnique(error, 'clusters_name_live')) return { kind: 'name-taken' };
    throw error;
  }
}

function row({
  clusterId,
  input,
  zoneName,
  job,
}: {
  clusterId: string;
  input: CreateInput;
  zoneName: string;
  job: NewJob;
}) {
  const {
    startNow: _startNow,
    note: _note,
    networkId,
    etcdOfferingId,
    networkOfferingId,
    sshKeyPair,
    ...columns
  } = input;
  return {
    ...columns,
    id: clusterId,
    zoneName,
    networkId: networkId ?? null,
    networkOwned: networkId === null || networkId === undefined,
    networkOfferingId: networkOfferingId ?? null,
    etcdOfferingId: etcdOfferingId ?? null,
    sshKeyPair: sshKeyPair ?? null,
    createdBy: job.actor.name,
    stateSince: sql`clock_timestamp()`,
  };
}
