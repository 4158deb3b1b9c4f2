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
