import { and, desc, eq, sql } from 'drizzle-orm';
import type { Actor } from '@/domain/actor';
import type { EventResult, EventType } from '@/domain/events';
import type { Queryable } from './client';
import { events } from './schema/records';

export interface NewEvent {
  readonly type: EventType;
  readonly result: EventResult;
  readonly actor: Actor;
  /** One sentence; names the cluster and what happened. Never holds a secret. */
  readonly summary: string;
  readonly clusterId?: string | null;
  readonly clusterName?: string | null;
  readonly jobId?: string | null;
  readonly serverId?: string | null;
  readonly detail?: Record<string, unknown>;
}

/** Appends to the audit trail, in the transaction of what it tells (JOB-2: with the resource). */
export async function recordEvent(queryable: Queryable, event: NewEvent): Promise<void> {
  await queryable.insert(events).values({
    type: event.type,
    result: event.result,
    clusterId: event.clusterId ?? null,
    clusterName: event.clusterName ?? null,
    jobId: event.jobId ?? null,
    serverId: event.serverId ?? null,
    actorKind: event.actor.kind,
    actorId: event.actor.id,
    actorName: event.actor.name,
    summary: event.summary,
    detail: event.detail ?? {},
  });
}

/**
 * For what a program may say every few seconds: writes nothing while its newest event of this type about the cluster says the same and
 * is younger than `withinMs`, by PostgreSQL's clock. Two at once may both write; that only makes one line too many.
 */
export async function recordEventOnce(queryable: Queryable, event: NewEvent, withinMs: number): Promise<void> {
  const [last] = await queryable
    .select({
      summary: events.summary,
      isYoung: sql<boolean>`${events.at} > clock_timestamp() - ${withinMs}::float8 * interval '1 millisecond'`,
    })
    .from(events)
    .where(
      and(
        event.clusterId == null ? sql`${events.clusterId} is null` : eq(events.clusterId, event.clusterId),
        eq(events.type, event.type),
        eq(events.actorId, event.actor.id),
      ),
    )
    .orderBy(desc(events.id))
    .limit(1);
  if (last?.isYoung === true && last.summary === event.summary) return;
  await recordEvent(queryable, event);
}
