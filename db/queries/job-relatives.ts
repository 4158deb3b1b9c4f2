/** The jobs beside a job: before and after it on the same cluster, the one it continues, those that continue it. */
import { and, desc, eq, ne, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { jobs } from '@/db/schema/jobs';
import type { Actor } from '@/domain/actor';
import type { JobRow } from './job-rows';
import { iso, isoOrNull } from './reader';

export interface RelatedJob {
  readonly id: string;
  readonly kind: string;
  readonly status: JobRow['status'];
  readonly reason: JobRow['reason'];
  readonly actorName: string;
  readonly acceptedAt: string;
  readonly finishedAt: string | null;
}

const relatedColumns = {
  id: jobs.id,
  kind: jobs.kind,
  status: jobs.status,
  reason: jobs.reason,
  actor: jobs.actor,
  acceptedAt: jobs.acceptedAt,
  finishedAt: jobs.finishedAt,
};

interface RelatedColumns {
  id: string;
  kind: string;
  status: JobRow['status'];
  reason: JobRow['reason'];
  actor: Actor;
  acceptedAt: Date;
  finishedAt: Date | null;
}

function toRelated({ actor, ...row }: RelatedColumns): RelatedJob {
  return { ...row, actorName: actor.name, acceptedAt: iso(row.acceptedAt), finishedAt: isoOrNull(row.finishedAt) };
}

/** The job before and the job after on the same cluster. */
export async function relativesOf(queryable: Queryable, of: { id: string; clusterId: string; acceptedKey: string }) {
  const key = sql`(${of.acceptedKey}::timestamptz, ${of.id}::uuid)`;
  const place = sql`(${jobs.acceptedAt}, ${jobs.id})`;
  const read = (where: ReturnType<typeof sql>, order: ReturnType<typeof sql>) =>
    queryable
      .select(relatedColumns)
      .from(jobs)
      .where(and(eq(jobs.clusterId, of.clusterId), where))
      .orderBy(order)
      .limit(1);
  const [before, after] = await Promise.all([
    read(sql`${place} < ${key}`, sql`${jobs.acceptedAt} desc, ${jobs.id} desc`),
    read(sql`${place} > ${key}`, sql`${jobs.acceptedAt} asc, ${jobs.id} asc`),
  ]);
  return [
    ...before.map((row) => ({ place: 'previous' as const, job: toRelated(row) })),
    ...after.map((row) => ({ place: 'next' as const, job: toRelated(row) })),
  ];
}

export async function relatedById(queryable: Queryable, id: string | null): Promise<RelatedJob | null> {
  if (id === null) return null;
  const [row] = await queryable.select(relatedColumns).from(jobs).where(eq(jobs.id, id));
  return row === undefined ? null : toRelated(row);
}

export async function continuedBy(queryable: Queryable, id: string): Promise<readonly RelatedJob[]> {
  const rows = await queryable
    .select(relatedColumns)
    .from(jobs)
    .where(and(eq(jobs.continuesJobId, id), ne(jobs.id, id)))
    .orderBy(desc(jobs.acceptedAt))
    .limit(5);
  return rows.map(toRelated);
}
