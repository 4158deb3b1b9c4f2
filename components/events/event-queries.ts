/** Reads of the audit trail for the browser. The list stands still; only the count of newer events is live. */
import { queryOptions } from '@tanstack/react-query';
import { readJson } from '@/components/request';
import type { EventPage, EventRow } from '@/db/queries/events';
import { type EventSearch, eventSearchQuery } from './event-search';

const path = (base: string, query: Record<string, string>) => {
  const text = new URLSearchParams(query).toString();
  return text === '' ? base : `${base}?${text}`;
};

/** Not under `events`: the live stream must not move what is being read. */
export function eventsQuery(search: Partial<EventSearch>) {
  return queryOptions({
    queryKey: ['event-list', search],
    queryFn: ({ signal }) => readJson<EventPage>(path('/api/v1/events', eventSearchQuery(search)), signal),
    staleTime: 0,
  });
}

export function newerEventsQuery(search: Partial<EventSearch>, after: number) {
  const { before: _, ...filter } = search;
  return queryOptions({
    queryKey: ['events', 'newer', filter, after],
    queryFn: ({ signal }) =>
      readJson<{ count: number }>(
        path('/api/v1/events/newer', { ...eventSearchQuery(filter), after: String(after) }),
        signal,
      ),
  });
}

export function eventQuery(id: number) {
  return queryOptions({
    queryKey: ['event', id],
    queryFn: ({ signal }) => readJson<EventRow>(`/api/v1/events/${id}`, signal),
    // An event never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function eventPeopleQuery() {
  return queryOptions({
    queryKey: ['event-people'],
    queryFn: ({ signal }) => readJson<readonly string[]>('/api/v1/events/people', signal),
    staleTime: 60_000,
  });
}
