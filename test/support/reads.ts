import type postgres from 'postgres';
import type { AsRead } from '@/db/transition';
import type { ClusterEvent, ClusterState } from '@/domain/states';

type Sql = postgres.Sql | postgres.TransactionSql;

/** A cluster's row as PostgreSQL gives it, whole: what a refusal must leave untouched is all of it. */
export interface ClusterRow {
  readonly id: string;
  readonly name: string;
  readonly state: ClusterState;
  readonly operation_id: string | null;
  readonly operation_seq: string;
  readonly next_operation_id: string | null;
  readonly transition_seq: string;
  readonly foreign_write_at: string | null;
  readonly removed_at: string | null;
  readonly attention: unknown;
  readonly [column: string]: unknown;
}

export async function clusterRow(sql: Sql, id: string): Promise<ClusterRow> {
  const [row] = await sql<ClusterRow[]>`select * from clusters where id = ${id}`;
  if (row === undefined) throw new Error(`no cluster ${id}`);
  return row;
}

/** As `decisionFacts` reads it before it decides. */
export async function readAgain(sql: Sql, id: string): Promise<AsRead> {
  const row = await clusterRow(sql, id);
  return { clusterId: id, state: row.state, operationId: row.operation_id, operationSeq: Number(row.operation_seq) };
}

export interface JobRow {
  readonly id: string;
  readonly cluster_id: string | null;
  readonly kind: string;
  readonly status: string;
  readonly reason: string | null;
  readonly token: string | null;
  readonly server_id: string | null;
  readonly failure_event: ClusterEvent | null;
  readonly [column: string]: unknown;
}

export async function jobRow(sql: Sql, id: string): Promise<JobRow> {
  const [row] = await sql<JobRow[]>`select * from jobs where id = ${id}`;
  if (row === undefined) throw new Error(`no job ${id}`);
  return row;
}

export async function jobsOf(sql: Sql, clusterId: string): Promise<readonly JobRow[]> {
  return sql<JobRow[]>`select * from jobs where cluster_id = ${clusterId} order by accepted_at, id`;
}

export interface TransitionRow {
  readonly seq: string;
  readonly from_state: ClusterState;
  readonly to_state: ClusterState;
  readonly event: ClusterEvent | null;
  readonly cause: string;
  readonly token: string;
  readonly job_id: string | null;
}

export async function transitionsOf(sql: Sql, clusterId: string): Promise<readonly TransitionRow[]> {
  return sql<TransitionRow[]>`select seq, from_state, to_state, event, cause, token, job_id from transitions
    where cluster_id = ${clusterId} order by seq`;
}

/** "entry Running → Scaling", in order: the history in the words of a test. */
export async function pathOf(sql: Sql, clusterId: string): Promise<readonly string[]> {
  return (await transitionsOf(sql, clusterId)).map((row) => `${row.cause} ${row.from_state} → ${row.to_state}`);
}

export interface EventRow {
  readonly type: string;
  readonly result: string;
  readonly job_id: string | null;
  readonly cluster_id: string | null;
  readonly cluster_name: string | null;
  readonly actor_name: string;
  readonly summary: string;
}

export async function eventsOf(sql: Sql, clusterId: string): Promise<readonly EventRow[]> {
  return sql<EventRow[]>`select type, result, job_id, cluster_id, cluster_name, actor_name, summary from events
    where cluster_id = ${clusterId} order by id`;
}

/** Everything that an operation on this cluster may have written, as one text: equal before and after a refusal (I10). */
export async function everythingOf(sql: Sql, clusterId: string): Promise<string> {
  const [row] = await sql<{ everything: string }[]>`select jsonb_build_object(
    'cluster', (select to_jsonb(clusters) from clusters where id = ${clusterId}),
    'jobs', (select jsonb_agg(to_jsonb(jobs) order by id) from jobs where cluster_id = ${clusterId}),
    'transitions', (select jsonb_agg(to_jsonb(transitions) order by seq) from transitions where cluster_id = ${clusterId}),
    'nodes', (select jsonb_agg(to_jsonb(nodes) order by id) from nodes where cluster_id = ${clusterId}),
    'components', (select jsonb_agg(to_jsonb(cluster_components) order by component) from cluster_components where cluster_id = ${clusterId}),
    'steps', (select jsonb_agg(to_jsonb(job_steps) order by job_id, name) from job_steps where job_id in (select id from jobs where cluster_id = ${clusterId})),
    'logs', (select count(*) from job_logs where job_id in (select id from jobs where cluster_id = ${clusterId})),
    'events', (select count(*) from events where cluster_id = ${clusterId}))::text as everything`;
  if (row === undefined) throw new Error('nothing was read');
  return row.everything;
}
