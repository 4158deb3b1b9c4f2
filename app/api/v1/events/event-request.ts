import 'server-only';
import { type EventRange, type EventSearch, readEventSearch } from '@/components/events/event-search';
import type { EventFilter } from '@/db/queries/events';

const hourMs = 3_600_000;
const rangeMs: Readonly<Record<EventRange, number>> = {
  '1h': hourMs,
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
  '30d': 30 * 24 * hourMs,
};

export function eventSearchOf(request: Request): EventSearch {
  return readEventSearch(Object.fromEntries(new URL(request.url).searchParams)).search;
}

export function eventFilterOf(search: EventSearch): EventFilter {
  return {
    type: search.type ?? undefined,
    result: search.result ?? undefined,
    clusterId: search.cluster ?? undefined,
    jobId: search.job ?? undefined,
    serverId: search.server ?? undefined,
    actorKind: search.actor ?? undefined,
    by: search.by ?? undefined,
    text: search.q ?? undefined,
    kind: search.kind ?? undefined,
    since: search.range === null ? undefined : new Date(Date.now() - rangeMs[search.range]),
  };
}
