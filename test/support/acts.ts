/** What workers and passes do, in the fewest words a test can say it with. */
import type { Database } from '@/db/client';
import { type Ended, endOperation, type OperationEnd } from '@/db/ending';
import type { Hold } from '@/db/holds';
import { failJobsOfDeparted } from '@/db/jobs';
import { type OrphanRecovery, type Recovered, recoverOrphan } from '@/db/orphan-recovery';
import type { OperationKind } from '@/domain/operations';
import { failureTarget } from '@/domain/orphans';
import type { ClusterEvent } from '@/domain/states';
import { ana, ben, departNow, type FixtureCluster } from './fixtures';
import type { Scratch } from './scratch';

export const claimNothing = (): void => undefined;

export function succeeded(kind: OperationKind, event: ClusterEvent | null = 'OperationSucceeded'): OperationEnd {
  return { kind, actor: ana, event, status: 'succeeded', reason: null, message: null };
}

export function failed(kind: OperationKind, event: ClusterEvent | null = 'OperationFailed'): OperationEnd {
  return { kind, actor: ana, event, status: 'failed', reason: 'step-failed', message: 'A step failed.' };
}

export function endWith(db: Database, hold: Hold, ending: OperationEnd): Promise<Ended> {
  return endOperation(db, hold, ending, claimNothing);
}

/** What a pass on `serverId` writes about an orphan as it read it. */
export function recovery(
  cluster: FixtureCluster,
  serverId: string,
  more: Partial<OrphanRecovery> = {},
): OrphanRecovery {
  return {
    asRead: cluster.asRead,
    clusterName: cluster.name,
    becomes: failureTarget(cluster.asRead.state, null),
    event: 'OperationFailed',
    cause: 'recovery',
    actor: ben,
    serverId,
    reason: 'Its server departed.',
    passId: null,
    waitingStopId: null,
    ...more,
  };
}

/** *End this operation* by an admin, on the token that the page showed. */
export function adminEnd(
  cluster: FixtureCluster,
  hold: Hold,
  serverId: string,
  more: Partial<OrphanRecovery> = {},
): OrphanRecovery {
  return recovery(cluster, serverId, {
    cause: 'admin-end',
    reason: 'Ended by Ben: it hangs.',
    endJobToo: {
      jobId: hold.jobId,
      end: { status: 'failed', reason: 'ended-by-admin', message: 'Ended by Ben: it hangs.' },
    },
    ...more,
  });
}

export function recover(db: Database, orphan: OrphanRecovery): Promise<Recovered> {
  return recoverOrphan(db, orphan, claimNothing);
}

/** Its server departs and a pass fails its job, as every pass does before it looks at orphans. The cluster is an orphan then. */
export async function loseServer(scratch: Scratch, hold: Hold): Promise<void> {
  await departNow(scratch.sql, hold.serverId);
  await scratch.db.transaction((tx) => failJobsOfDeparted(tx, 1));
}
