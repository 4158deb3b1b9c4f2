import type postgres from 'postgres';
import { operationStates } from '@/domain/states';
import { allEdges } from '@/domain/transitions';

/** A pool or a transaction; a planted violation is looked at inside the transaction that is rolled back. */
export type Reader = postgres.Sql | postgres.TransactionSql;

interface Invariant {
  readonly name: string;
  /** One text a violation. */
  readonly query: string;
}

const busy = `any('{${operationStates.join(',')}}'::cluster_state[])`;
const edges = allEdges().map(({ from, event, to }) => `'${from} ${event} ${to}'`);
const history = `(select *, lag(seq) over w as prior_seq, lag(to_state) over w as prior_state, lag(token) over w as prior_token,
  lag(job_id) over w as prior_job from transitions window w as (partition by cluster_id order by seq))`;

/** I1 to I9 and I11 of ownership-and-reliability B.3, with the amendments at its head. Each returns its violations as texts. */
export const invariants: readonly Invariant[] = [
  {
    name: 'I1 an operation state has an owner, or a foreign write to answer for it',
    query: `select name || ' is ' || state || ' and has neither owner nor foreign write' from clusters
      where state = ${busy} and operation_id is null and foreign_write_at is null`,
  },
  {
    name: 'I1 a cluster at rest has no owner, unless an operation goes ahead from there',
    query: `select name || ' rests in ' || state || ' and is owned' from clusters
      where state in ('Running', 'Stopped', 'Alert', 'Destroyed') and operation_id is not null`,
  },
  {
    name: 'I2 at most one job is in progress on a cluster',
    query: `select 'cluster ' || cluster_id || ' has ' || count(*) || ' jobs in progress' from jobs
      where status = 'in_progress' and cluster_id is not null group by cluster_id having count(*) > 1`,
  },
  {
    name: 'I3 an owner is a job of that cluster, under the token of the cluster',
    query: `select c.name || ' is owned by ' || coalesce(j.kind || ' ' || j.status || ' with token ' || coalesce(j.token::text, 'none'), 'no row')
        || ', its token is ' || c.operation_seq
      from clusters c left join jobs j on j.id = c.operation_id
      where c.operation_id is not null and (j.id is null or j.cluster_id is distinct from c.id or j.token is distinct from c.operation_seq
        or j.status = 'waiting')`,
  },
  {
    name: 'I3 a job in progress is named by its cluster',
    query: `select j.kind || ' ' || j.id || ' is in progress and its cluster does not name it' from jobs j join clusters c on c.id = j.cluster_id
      where j.status = 'in_progress' and (c.operation_id is distinct from j.id or c.operation_seq is distinct from j.token)`,
  },
  {
    name: 'I4 the transitions of a cluster have no gap and each begins where the one before ended',
    query: `select cluster_id || ' #' || seq || ': ' || from_state || ' → ' || to_state || ' after #' || prior_seq || ' ' || prior_state
      from ${history} t where prior_seq is not null and (seq <> prior_seq + 1 or from_state <> prior_state)`,
  },
  {
    name: 'I4 the last transition is where the cluster is',
    query: `select c.name || ' is ' || c.state || ' at #' || c.transition_seq || ', its last transition is #' || t.seq || ' to ' || t.to_state
      from clusters c join lateral (select * from transitions where cluster_id = c.id order by seq desc limit 1) t on true
      where c.transition_seq <> t.seq or c.state <> t.to_state`,
  },
  {
    name: 'I4 every transition is a row of the machine, but a foreign write',
    query: `select cluster_id || ' #' || seq || ': ' || from_state || ' + ' || coalesce(event::text, 'nothing') || ' → ' || to_state
      from transitions where cause <> 'foreign' and from_state || ' ' || coalesce(event::text, '') || ' ' || to_state not in (${edges.join(', ')})`,
  },
  {
    name: 'I5 tokens grow with every transition but an end, and never shrink',
    query: `select cluster_id || ' #' || seq || ' (' || cause || ') has token ' || token || ' after ' || prior_token
      from ${history} t where token < prior_token or (cause <> 'end' and token = prior_token)`,
  },
  {
    name: 'I5 no job and no transition has a token that its cluster has not reached',
    query: `select c.name || ' is at token ' || c.operation_seq || ' and ' || newest.token || ' was given' from clusters c
      join lateral (select max(token) as token from (select token from jobs where cluster_id = c.id
        union all select token from transitions where cluster_id = c.id) given) newest on true
      where newest.token > c.operation_seq`,
  },
  {
    name: 'I5 jobs of one cluster start in the order of their tokens',
    query: `select 'job ' || id || ' with token ' || token || ' started before the one before it' from (
        select id, token, started_at, lag(started_at) over (partition by cluster_id order by token) as prior
        from jobs where token is not null and cluster_id is not null) j where started_at < prior`,
  },
  {
    name: 'I6 a job is open or has ended, with one final status, one time and a reason',
    query: `select 'job ' || id || ' is ' || status || ', finished ' || coalesce(finished_at::text, 'never') from jobs
      where (status in ('in_progress', 'waiting')) <> (finished_at is null) or finished_at < accepted_at or finished_at < started_at
        or (status in ('failed', 'cancelled') and reason is null and message is null)`,
  },
  {
    name: 'I6 the trigger that keeps the end of a job is on',
    query: `select 'jobs_end_once is missing or off' where not exists
      (select 1 from pg_trigger where tgname = 'jobs_end_once' and tgrelid = 'jobs'::regclass and tgenabled in ('O', 'A'))`,
  },
  {
    name: 'I7 the job that took a cluster is kept as long as it holds it',
    query: `select c.name || ' is ' || c.state || ' by a job that is gone' from clusters c
      join transitions t on t.cluster_id = c.id and t.seq = c.transition_seq
      where c.state = ${busy} and t.job_id is not null and not exists (select 1 from jobs where jobs.id = t.job_id)`,
  },
  {
    name: 'I7 the references that keep owners and waiting stops are in force',
    query: `select expected.name || ' is missing' from (values ('clusters_operation_fk'), ('clusters_next_operation_fk')) expected (name)
      where not exists (select 1 from pg_constraint where conname = expected.name and contype = 'f' and convalidated)`,
  },
  {
    name: 'I8 whoever leaves an operation state owned it, or came after its owner had ended',
    query: `select t.cluster_id || ' #' || t.seq || ': ' || t.from_state || ' → ' || t.to_state || ' (' || t.cause || ')'
      from ${history} t left join jobs owner on owner.id = t.prior_job
      where t.from_state = ${busy} and t.prior_seq is not null and case t.cause
        when 'end' then t.job_id is distinct from t.prior_job or t.token <> t.prior_token
        when 'hand-over' then t.from_state <> 'Starting' or t.to_state <> 'Stopping' or t.job_id is null or owner.finished_at is null
        when 'recovery' then owner.id is not null and (owner.finished_at is null or owner.finished_at > t.at)
        when 'admin-end' then owner.id is not null and owner.finished_at is null
        when 'foreign' then false
        else true end`,
  },
  {
    name: 'I9 a job is failed for its server only after that server departed',
    query: `select 'job ' || j.id || ' was failed for ' || s.name || ', which is ' || s.state from jobs j join servers s on s.id = j.server_id
      where j.reason = 'server-departed' and (s.state <> 'departed' or s.departed_at > j.finished_at)`,
  },
  {
    name: 'I11 a stop that waits is named by its cluster, and what a cluster names waits',
    query: `select 'stop ' || j.id || ' waits and no cluster names it' from jobs j left join clusters c on c.next_operation_id = j.id
        where j.status = 'waiting' and c.id is distinct from j.cluster_id
      union all select c.name || ' names a stop that is ' || j.status from clusters c join jobs j on j.id = c.next_operation_id
        where j.status <> 'waiting' or j.cluster_id is distinct from c.id`,
  },
];

const everything = invariants
  .map(({ query }, index) => `select ${index} as invariant, found.text from (${query}) found (text)`)
  .join('\nunion all\n');

/** Every invariant that does not hold, a line each: the invariant, then what breaks it. */
export async function violations(sql: Reader): Promise<string[]> {
  const rows = await sql.unsafe<{ invariant: number; text: string }[]>(everything);
  return rows.map(({ invariant, text }) => `${invariants[invariant]?.name}: ${text}`);
}
