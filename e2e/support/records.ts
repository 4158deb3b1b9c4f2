/** What PostgreSQL holds, for proofs: read beside the product, never written. Waits ask again every few milliseconds. */
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { JobReason, JobStatus, StepStatus } from '@/domain/jobs';
import type { ClusterState } from '@/domain/states';

export interface ClusterRecord {
  readonly id: string;
  readonly name: string;
  readonly state: ClusterState;
  readonly operationId: string | null;
  readonly operationSeq: number;
  readonly nextOperationId: string | null;
  readonly cause: string | null;
}

export interface JobRecord {
  readonly id: string;
  readonly clusterId: string;
  readonly kind: string;
  readonly status: JobStatus;
  readonly reason: JobReason | null;
  readonly message: string | null;
  readonly serverName: string | null;
  readonly currentStep: string | null;
  readonly stepsDone: number;
  readonly stepsTotal: number;
  readonly lateResultAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface EventRecord {
  readonly id: number;
  readonly type: string;
  readonly result: string;
  readonly jobId: string | null;
  readonly actorName: string;
  readonly summary: string;
}

const askAgainMs = 20;
const patienceMs = 30_000;

export type Records = ReturnType<typeof openRecords>;

export function openRecords(databaseUrl: string) {
  const sql = postgres(databaseUrl, {
    max: 4,
    onnotice: () => undefined,
    connection: { application_name: 'proofs' },
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  });
  const jobColumns = sql`
    j.id, j.cluster_id as "clusterId", j.kind, j.status, j.reason, j.message, s.name as "serverName",
    j.current_step as "currentStep", j.steps_done as "stepsDone", j.steps_total as "stepsTotal",
    j.late_result_at as "lateResultAt", j.finished_at as "finishedAt"`;

  async function cluster(id: string): Promise<ClusterRecord> {
    const [row] = await sql<ClusterRecord[]>`
      select id, name, state, operation_id as "operationId", operation_seq as "operationSeq",
        next_operation_id as "nextOperationId", attention->>'text' as cause
      from clusters where id = ${id}`;
    if (row === undefined) throw new Error(`there is no cluster ${id}`);
    return row;
  }

  async function job(id: string): Promise<JobRecord> {
    const [row] = await sql<JobRecord[]>`
      select ${jobColumns} from jobs j left join servers s on s.id = j.server_id where j.id = ${id}`;
    if (row === undefined) throw new Error(`there is no job ${id}`);
    return row;
  }

  /** Newest first. */
  async function jobsOf(clusterId: string): Promise<JobRecord[]> {
    return sql<JobRecord[]>`
      select ${jobColumns} from jobs j left join servers s on s.id = j.server_id
      where j.cluster_id = ${clusterId} order by j.accepted_at desc, j.id desc`;
  }

  async function steps(jobId: string) {
    return sql<{ name: string; label: string; status: StepStatus }[]>`
      select name, label, status from job_steps where job_id = ${jobId} order by ordinal, started_at`;
  }

  /** Oldest first. */
  async function transitions(clusterId: string) {
    return sql<
      {
        seq: number;
        from: ClusterState;
        to: ClusterState;
        cause: string;
        reason: string | null;
        jobId: string | null;
      }[]
    >`select seq, from_state as "from", to_state as "to", cause, reason, job_id as "jobId"
      from transitions where cluster_id = ${clusterId} order by seq`;
  }

  /** Oldest first, those after `sinceId`. */
  async function events(clusterId: string, sinceId = 0): Promise<EventRecord[]> {
    return sql<EventRecord[]>`
      select id, type, result, job_id as "jobId", actor_name as "actorName", summary
      from events where cluster_id = ${clusterId} and id > ${sinceId} order by id`;
  }

  async function lastEventId(): Promise<number> {
    const [row] = await sql<{ id: number }[]>`select coalesce(max(id), 0) as id from events`;
    return row?.id ?? 0;
  }

  /** The first value that is there; throws with what was seen last when none comes in time. */
  async function until<T>(
    what: string,
    read: () => Promise<T | undefined>,
    { withinMs = patienceMs, seen }: { withinMs?: number; seen?: () => Promise<unknown> } = {},
  ): Promise<T> {
    const end = Date.now() + withinMs;
    for (;;) {
      const value = await read();
      if (value !== undefined) return value;
      if (Date.now() > end) {
        const last = seen === undefined ? '' : `; last seen: ${JSON.stringify(await seen())}`;
        throw new Error(`not within ${withinMs} ms: ${what}${last}`);
      }
      await sleep(askAgainMs);
    }
  }

  const untilCluster = (id: string, what: string, test: (row: ClusterRecord) => boolean, withinMs = patienceMs) =>
    until(
      `cluster ${id} ${what}`,
      async () => {
        const row = await cluster(id);
        return test(row) ? row : undefined;
      },
      { withinMs, seen: async () => ({ cluster: await cluster(id), jobs: (await jobsOf(id)).slice(0, 3) }) },
    );

  return {
    sql,
    cluster,
    job,
    jobsOf,
    steps,
    transitions,
    events,
    lastEventId,
    until,
    untilCluster,
    /** In this state and held by nobody. */
    untilRests: (id: string, state: ClusterState, withinMs = patienceMs) =>
      untilCluster(id, `rests in ${state}`, (row) => row.state === state && row.operationId === null, withinMs),
    untilJobEnds: (id: string, withinMs = patienceMs) =>
      until(
        `job ${id} ends`,
        async () => {
          const row = await job(id);
          return row.finishedAt === null ? undefined : row;
        },
        { withinMs, seen: () => job(id) },
      ),
    /** A step of this job, as its key begins, is under way. */
    untilStepRuns: (jobId: string, key: string, withinMs = patienceMs) =>
      until(
        `step ${key} of job ${jobId} runs`,
        async () => (await steps(jobId)).find((step) => step.name.startsWith(key) && step.status === 'running'),
        { withinMs, seen: () => steps(jobId) },
      ),
    close: () => sql.end({ timeout: 5 }),
  };
}
