'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Download, ListTree } from 'lucide-react';
import { parseAsInteger, parseAsString, useQueryState, useQueryStates } from 'nuqs';
import { ChangedPill, Pager } from '@/components/jobs/jobs-table';
import { RequestFailed } from '@/components/request';
import { Button } from '@/components/ui/button';
import { buttonClass } from '@/components/ui/button-styles';
import { PageHeader } from '@/components/ui/page-header';
import { EmptyState, FailedState, Skeleton } from '@/components/ui/states';
import type { EventPage } from '@/db/queries/events';
import { EventDialog } from './event-dialog';
import { EventFilters } from './event-filters';
import { eventsQuery, newerEventsQuery } from './event-queries';
import {
  type EventSearch,
  eventSearchNames,
  eventSearchQuery,
  isEventFilterSet,
  readEventSearch,
} from './event-search';
import { EventsTable } from './events-table';

const parsers = Object.fromEntries(eventSearchNames.map((name) => [name, parseAsString])) as Record<
  keyof EventSearch,
  typeof parseAsString
>;
const nothing = Object.fromEntries(eventSearchNames.map((name) => [name, null])) as Record<keyof EventSearch, null>;

export function EventsView() {
  const [raw, setRaw] = useQueryStates(parsers);
  const [opened, setOpened] = useQueryState('event', parseAsInteger.withOptions({ history: 'replace' }));
  const { search, ignored } = readEventSearch(raw);
  const query = useQuery({ ...eventsQuery(search), placeholderData: keepPreviousData });
  const newest = query.data?.rows[0]?.id ?? 0;
  const { data: newer } = useQuery({
    ...newerEventsQuery(search, newest),
    enabled: query.data !== undefined && !query.isPlaceholderData && search.before === null,
  });
  const change = (next: Partial<EventSearch>, history: 'push' | 'replace' = 'push') =>
    void setRaw({ before: null, ...next }, { history });
  const clear = () => void setRaw(nothing, { history: 'push' });
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Events"
        description="The audit trail: nothing in it can be edited."
        actions={<ExportLinks search={search} />}
      />
      <EventFilters search={search} onChange={change} onClear={clear} />
      {ignored.length === 0 ? null : (
        <p className="text-xs text-warning">
          The address asked for something that is not known here and was left out: {ignored.join(', ')}.
        </p>
      )}
      <ChangedPill changed={newer?.count ?? 0} noun="new" onApply={() => void query.refetch()} />
      <div
        className={`overflow-hidden rounded-lg border border-line bg-surface shadow-panel ${query.isPlaceholderData ? 'opacity-60' : ''}`}
      >
        <Body
          query={query}
          isFiltered={isEventFilterSet(search)}
          onClear={clear}
          onOpen={(id) => void setOpened(id)}
          onOperation={(job) => change({ ...nothing, job })}
        />
      </div>
      <Pager
        isFirst={search.before === null}
        next={query.data?.next == null ? null : String(query.data.next)}
        onPage={(before) => change({ before })}
      />
      <EventDialog id={opened} onClose={() => void setOpened(null)} />
    </div>
  );
}

function Body({
  query,
  isFiltered,
  onClear,
  onOpen,
  onOperation,
}: {
  query: { data: EventPage | undefined; error: Error | null; refetch: () => unknown; isFetching: boolean };
  isFiltered: boolean;
  onClear: () => void;
  onOpen: (id: number) => void;
  onOperation: (jobId: string) => void;
}) {
  const { data, error } = query;
  if (data === undefined) {
    if (error === null) return <Skeleton lines={8} label="Loading the events" />;
    const reference = error instanceof RequestFailed ? error.reference : undefined;
    return (
      <FailedState
        title="The events could not be read"
        text={error.message}
        reference={reference}
        onRetry={() => void query.refetch()}
        isBusy={query.isFetching}
      />
    );
  }
  if (data.rows.length > 0) return <EventsTable rows={data.rows} onOpen={onOpen} onOperation={onOperation} />;
  if (isFiltered)
    return (
      <EmptyState
        icon={ListTree}
        title="No event matches"
        text="Other filters may show more."
        action={<Button onClick={onClear}>Clear filters</Button>}
      />
    );
  return (
    <EmptyState
      icon={ListTree}
      title="Nothing has happened yet"
      text="Every operation, refusal, recovery and sign-in will stand here."
    />
  );
}

/** Exports what the filter shows, all of it, not only this page. Plain links: the router must not fetch them ahead. */
function ExportLinks({ search }: { search: EventSearch }) {
  const href = (format: 'csv' | 'jsonl') =>
    `/api/v1/events/export?${new URLSearchParams({ ...eventSearchQuery({ ...search, before: null }), format })}`;
  return (
    <>
      <a href={href('csv')} download className={buttonClass({})}>
        <Download aria-hidden className="size-3.5" />
        CSV
      </a>
      <a href={href('jsonl')} download className={buttonClass({})}>
        <Download aria-hidden className="size-3.5" />
        JSON lines
      </a>
    </>
  );
}
