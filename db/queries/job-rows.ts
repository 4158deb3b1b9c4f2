/** The columns that lists of jobs and the page of one share, and their DTO. */
import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { clusters } from '@/db/schema/clusters';
import { jobs } from '@/db/schema/jobs';
import { servers } from '@/db/schema/servers';
import type { Actor } from '@/domain/actor';
import type { JobReason, JobStatus } from '@/domain/jobs';
import type { ClusterState } from '@/domain/states';
import { iso, isoOrNull } from './reader';

export interface JobServer {
  readonly id: string;
  readonly name: string;
  readonly state: 'up' | 'draining' | 'departed';
  /** 1: an older server, whose jobs record neither cluster nor token (MIX-1). */
  readonly protocol: number;
  readonly lastBeatAt: string;
  readonly leaseUntil: string;
  /** Two beats late by PostgreSQL's clock, and not departed. */
  readonly isSilent: boolean;
}

/** A job as lists show it. Times are ISO texts. */
export interface JobRow {
  readonly id: string;
  /** Text: an older or newer server may have stored a kind that this one does not know. */
  readonly kind: string;
  readonly status: JobStatus;
  readonly reason: JobReason | null;
  readonly message: string | null;
  readonly clusterId: string | null;
  readonly clusterName: string | null;
  readonly clusterState: ClusterState | null;
  /** Whether the cluster names this job as its owner, under this job's token. */
  readonly ownsCluster: boolean;
  readonly currentStep: string | null;
  readonly stepsDone: number;
  readonly stepsTotal: number;
  /** Of the step that runs; 1 unless it was tried again. */
  readonly attempt: number;
  readonly server: JobServer | null;
  readonly actorKind: Actor['kind'];
  readonly actorName: string;
  readonly acceptedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly lateResultAt: string | null;
  readonly continuesJobId: string | null;
  readonly endedByPassId: number | null;
  /** A job of an older server: the parameters as it stored them; null where it stored none. */
  readonly legacyParameters: string | null;
}

export function jobColumns(beatMs: number) {
  return {
    id: jobs.id,
    kind: jobs.kind,
    status: jobs.status,
    reason: jobs.reason,
    message: jobs.message,
    clusterId: jobs.clusterId,
    clusterName: clusters.name,
    clusterState: clusters.state,
    ownsCluster: sql<boolean>`coalesce(${clusters.operationId} = ${jobs.id} and ${clusters.operationSeq} = ${jobs.token}, false)`,
    currentStep: jobs.currentStep,
    stepsDone: jobs.stepsDone,
    stepsTotal: jobs.stepsTotal,
    attempt: sql<number>`coalesce((select max(job_steps.attempt) from job_steps where job_steps.job_id = ${jobs.id} and job_steps.status = 'running'), 1)::int`,
    serverId: servers.id,
    serverName: servers.name,
    serverState: servers.state,
    protocol: servers.protocol,
    lastBeatAt: servers.lastBeatAt,
    leaseUntil: servers.leaseUntil,
    isSilent: sql<boolean>`coalesce(${servers.state} <> 'departed' and ${servers.lastBeatAt} < clock_timestamp() - ${beatMs * 2} * interval '1 millisecond', false)`,
    actor: jobs.actor,
    acceptedAt: jobs.acceptedAt,
    /** With PostgreSQL's microseconds, for the key of a page. */
    acceptedKey: sql<string>`${jobs.acceptedAt}::text`,
    startedAt: jobs.startedAt,
    finishedAt: jobs.finishedAt,
    lateResultAt: jobs.lateResultAt,
    continuesJobId: jobs.continuesJobId,
    endedByPassId: jobs.endedByPassId,
    legacyParameters: jobs.legacyParameters,
  };
}

/** Jobs with cluster and server beside them; the caller filters and orders. */
export function selectJobs(queryable: Queryable, beatMs: number) {
  return queryable
    .select(jobColumns(beatMs))
    .from(jobs)
    .leftJoin(clusters, eq(clusters.id, jobs.clusterId))
    .leftJoin(servers, eq(servers.id, jobs.serverId))
    .$dynamic();
}

export type SelectedJob = Awaited<ReturnType<typeof selectJobs>>[number];

export function toJobRow(row: SelectedJob): JobRow {
  const {
    serverId,
    serverName,
    serverState,
    protocol,
    lastBeatAt,
    leaseUntil,
    isSilent,
    actor,
    acceptedKey: _,
    ...plain
  } = row;
  const isKnown =
    serverId !== null &&
    serverName !== null &&
    serverState !== null &&
    protocol !== null &&
    lastBeatAt !== null &&
    leaseUntil !== null;
  return {
    ...plain,
    server: isKnown
      ? {
          id: serverId,
          name: serverName,
          state: serverState,
          protocol,
          lastBeatAt: iso(lastBeatAt),
          leaseUntil: iso(leaseUntil),
          isSilent,
        }
      : null,
    actorKind: actor.kind,
    actorName: actor.name,
    acceptedAt: iso(row.acceptedAt),
    startedAt: isoOrNull(row.startedAt),
    finishedAt: isoOrNull(row.finishedAt),
    lateResultAt: isoOrNull(row.lateResultAt),
  };
}
