/** What the ownership half of a pass reads: candidates, their jobs, and jobs of older servers. */
import { and, asc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { JobReason, JobStatus } from '@/domain/jobs';
import { type ClusterEvent, operationStates } from '@/domain/states';
import type { Database, Queryable } from './client';
import type { Judge } from './passes';
import { clusters } from './schema/clusters';
import { jobs } from './schema/jobs';
import { servers } from './schema/servers';
import { type Departed, markDeparted } from './servers';
import type { AsRead } from './transition';

export interface Candidate {
  readonly asRead: AsRead;
  readonly name: string;
  /** A stop that waits for the start which holds it. */
  readonly nextOperationId: string | null;
}

const columns = {
  id: clusters.id,
  name: clusters.name,
  state: clusters.state,
  operationId: clusters.operationId,
  operationSeq: clusters.operationSeq,
  nextOperationId: clusters.nextOperationId,
};

const isCandidate = or(isNotNull(clusters.operationId), inArray(clusters.state, [...operationStates]));

/** REC-2, REC-10: clusters in an operation state or with an owner, in one query that looks at no job. */
export async function orphanCandidates(queryable: Queryable): Promise<readonly Candidate[]> {
  const rows = await queryable.select(columns).from(clusters).where(isCandidate).orderBy(asc(clusters.id));
  return rows.map(toCandidate);
}

/** The candidate as it is now. Undefined: its operation has ended since the list was made (REC-9). */
export async function candidateNow(queryable: Queryable, clusterId: string): Promise<Candidate | undefined> {
  const [row] = await queryable
    .select(columns)
    .from(clusters)
    .where(and(eq(clusters.id, clusterId), isCandidate));
  return row === undefined ? undefined : toCandidate(row);
}

type Row = Omit<AsRead, 'clusterId'> & { id: string; name: string; nextOperationId: string | null };

function toCandidate({ id, name, nextOperationId, state, operationId, operationSeq }: Row): Candidate {
  return { name, nextOperationId, asRead: { clusterId: id, state, operationId, operationSeq } };
}

export interface CandidateJob {
  readonly id: string;
  readonly kind: string;
  readonly clusterId: string | null;
  readonly status: JobStatus;
  readonly reason: JobReason | null;
  readonly actorName: string;
  readonly failureEvent: ClusterEvent | null;
  readonly serverId: string | null;
  readonly serverName: string | null;
  readonly serverDeparted: boolean;
  /** Missed two beats; its lease is not over. */
  readonly serverSilent: boolean;
  /** Seconds since the last beat, by PostgreSQL's clock. */
  readonly beatAgeSeconds: number | null;
}

const idsAStatement = 1_000;

/**
 * REC-3: jobs in progress on these clusters, on any server, and the jobs that own them, ended or not. To be asked after the clusters
 * were read (REC-7).
 */
export async function jobsOfCandidates(
  queryable: Queryable,
  candidates: readonly Candidate[],
  beatMs: number,
): Promise<readonly CandidateJob[]> {
  const found: CandidateJob[] = [];
  for (let from = 0; from < candidates.length; from += idsAStatement) {
    const part = candidates.slice(from, from + idsAStatement).map(({ asRead }) => asRead);
    const owners = part.flatMap(({ operationId }) => (operationId === null ? [] : [operationId]));
    const inProgress = and(
      inArray(
        jobs.clusterId,
        part.map(({ clusterId }) => clusterId),
      ),
      sql`${jobs.status} = 'in_progress'`,
    );
    found.push(
      ...(await selectJobs(queryable, beatMs).where(
        or(inProgress, owners.length === 0 ? undefined : inArray(jobs.id, owners)),
      )),
    );
  }
  return found;
}

function selectJobs(queryable: Queryable, beatMs: number) {
  return queryable
    .select({
      id: jobs.id,
      kind: jobs.kind,
      clusterId: jobs.clusterId,
      status: jobs.status,
      reason: jobs.reason,
      actorName: sql<string>`coalesce(${jobs.actor}->>'name', 'unknown')`,
      failureEvent: jobs.failureEvent,
      serverId: jobs.serverId,
      serverName: servers.name,
      serverDeparted: sql<boolean>`coalesce(${servers.state} = 'departed', false)`,
      serverSilent: sql<boolean>`coalesce(${servers.lastBeatAt} < clock_timestamp() - ${beatMs * 2} * interval '1 millisecond', false)`,
      beatAgeSeconds: sql<number | null>`extract(epoch from clock_timestamp() - ${servers.lastBeatAt})::float8`,
    })
    .from(jobs)
    .leftJoin(servers, eq(servers.id, jobs.serverId));
}

/** Which of these ids are clusters of ours, deleted ones included. */
export async function knownClusterIds(queryable: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await queryable
    .select({ id: clusters.id })
    .from(clusters)
    .where(inArray(clusters.id, [...ids]));
  return new Set(rows.map((row) => row.id));
}

class RolledBack extends Error {}

/** Who a pass would mark departed now: the very statement, rolled back, so that preview and apply cannot differ. */
export async function wouldMarkDeparted(db: Database, judge: Judge): Promise<readonly Departed[]> {
  let departed: readonly Departed[] = [];
  try {
    await db.transaction(async (tx) => {
      departed = await markDeparted(tx, judge);
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return departed;
}
