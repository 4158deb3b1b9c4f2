'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Ban } from 'lucide-react';
import { useState } from 'react';
import { isFiltered, type JobSearch } from '@/components/jobs/job-search';
import { kindLabel } from '@/components/jobs/job-words';
import { ChangedPill, Pager } from '@/components/jobs/jobs-table';
import { StateBadge } from '@/components/lifecycle/state-badge';
import { routes } from '@/components/routes';
import { Button } from '@/components/ui/button';
import { EmptyState, FailedState, Skeleton } from '@/components/ui/states';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import type { EventRow } from '@/db/queries/events';
import { operationKinds } from '@/domain/operations';
import { ActorName } from './event-badges';
import { EventDialog } from './event-dialog';
import { eventsQuery, newerEventsQuery } from './event-queries';
import type { EventSearch } from './event-search';
import { receiptOf } from './receipt-of';

/** A refused request is no job, only an event; the list of jobs shows them under a tab of their own. */
export function RefusedRequests({
  search,
  onPage,
  onClear,
}: {
  search: JobSearch;
  onPage: (after: string | null) => void;
  onClear: () => void;
}) {
  const filter: Partial<EventSearch> = {
    type: 'operation.refused',
    kind: operationKinds.find((kind) => kind === search.kind) ?? null,
    cluster: search.cluster,
    server: search.server,
    by: search.by,
    q: search.q,
    before: search.after !== null && /^[0-9]+$/.test(search.after) ? search.after : null,
  };
  const { data, error, refetch, isFetching } = useQuery({ ...eventsQuery(filter), placeholderData: keepPreviousData });
  const { data: newer } = useQuery({
    ...newerEventsQuery(filter, data?.rows[0]?.id ?? 0),
    enabled: data !== undefined && search.after === null,
  });
  const [opened, setOpened] = useState<number | null>(null);
  if (data === undefined) {
    return error === null ? (
      <Skeleton lines={6} label="Loading the refusals" />
    ) : (
      <FailedState
        title="The refusals could not be read"
        text={error.message}
        onRetry={() => void refetch()}
        isBusy={isFetching}
      />
    );
  }
  if (data.rows.length === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface shadow-panel">
        {isFiltered(search) ? (
          <EmptyState icon={Ban} title="No refusal matches" action={<Button onClick={onClear}>Clear filters</Button>} />
        ) : (
          <EmptyState
            icon={Ban}
            title="No request has been refused"
            text="A request that the rules or a lost race turn away leaves a receipt here. It changes nothing."
          />
        )}
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <ChangedPill changed={newer?.count ?? 0} noun="new" onApply={() => void refetch()} />
      <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-panel">
        <Table caption="Refused requests, newest first">
          <TableHead>
            <HeadCell>Asked</HeadCell>
            <HeadCell>Cluster</HeadCell>
            <HeadCell>By</HeadCell>
            <HeadCell className="w-1/2">Why not</HeadCell>
            <HeadCell>Expected, found</HeadCell>
            <HeadCell>When</HeadCell>
          </TableHead>
          <TableBody>
            {data.rows.map((row) => (
              <RefusedRow key={row.id} event={row} onOpen={() => setOpened(row.id)} />
            ))}
          </TableBody>
        </Table>
      </div>
      <Pager isFirst={search.after === null} next={data.next === null ? null : String(data.next)} onPage={onPage} />
      <EventDialog id={opened} onClose={() => setOpened(null)} />
    </div>
  );
}

function RefusedRow({ event, onOpen }: { event: EventRow; onOpen: () => void }) {
  const receipt = receiptOf(event.detail);
  return (
    <TableRow>
      <RowHeadCell className="font-medium">
        <button type="button" onClick={onOpen} className="min-h-6 hover:underline">
          {receipt?.kind === undefined ? 'Request' : kindLabel(receipt.kind)}
          <span className="sr-only"> of {event.clusterName ?? 'a cluster'}: show the receipt</span>
        </button>
      </RowHeadCell>
      <Cell label="Cluster">
        {event.clusterId === null ? (
          (event.clusterName ?? '–')
        ) : (
          <TextLink href={routes.cluster(event.clusterId)}>{event.clusterName}</TextLink>
        )}
      </Cell>
      <Cell label="By">
        <ActorName kind={event.actorKind} name={event.actorName} />
      </Cell>
      <Cell label="Why not" className="text-soft">
        {receipt?.refusal.message ?? event.summary}
      </Cell>
      <Cell label="Found">
        {receipt?.refusal.expectedState === undefined || receipt.refusal.foundState === undefined ? (
          <span className="text-faint">–</span>
        ) : (
          <span className="flex flex-wrap items-center gap-1.5">
            <StateBadge state={receipt.refusal.expectedState} isQuiet />
            <span className="text-xs text-faint">found</span>
            <StateBadge state={receipt.refusal.foundState} isQuiet />
          </span>
        )}
      </Cell>
      <Cell label="When" className="whitespace-nowrap text-faint">
        <Time value={event.at} />
      </Cell>
    </TableRow>
  );
}
