'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import type { ReactNode } from 'react';
import { RequestFailed } from '@/components/request';
import { Button } from '@/components/ui/button';
import { EmptyState, FailedState, Skeleton } from '@/components/ui/states';
import { HeadCell, Table, TableBody, TableHead } from '@/components/ui/table';
import { useFrozenRows } from './frozen-rows';
import { jobsQuery, usualJobsQuery } from './job-queries';
import { JobRowView } from './job-row';
import { isFiltered, type JobSearch } from './job-search';
import { looks } from './job-words';

/** A page of jobs, live in place: what is shown stays where it is, new ones wait for a click. */
export function JobsTable({
  search,
  onPage,
  onClear,
  emptyAction,
}: {
  search: JobSearch;
  onPage: (after: string | null) => void;
  onClear: () => void;
  emptyAction?: ReactNode;
}) {
  const { data, error, isPlaceholderData, refetch, isFetching } = useQuery({
    ...jobsQuery(search),
    placeholderData: keepPreviousData,
  });
  const { data: usual } = useQuery(usualJobsQuery());
  const fresh = isPlaceholderData ? undefined : data?.rows;
  const { rows, changed, apply } = useFrozenRows(fresh, (row) => row.id, JSON.stringify(search));
  const shown = isPlaceholderData ? (data?.rows ?? []).map((row) => ({ row, hasLeft: false })) : rows;
  if (data === undefined) {
    if (error === null)
      return (
        <Boxed>
          <Skeleton lines={8} label="Loading the jobs" />
        </Boxed>
      );
    const reference = error instanceof RequestFailed ? error.reference : undefined;
    return (
      <Boxed>
        <FailedState
          title="The jobs could not be read"
          text={error.message}
          reference={reference}
          onRetry={() => void refetch()}
          isBusy={isFetching}
        />
      </Boxed>
    );
  }
  if (shown.length === 0)
    return (
      <Boxed>
        <Empty search={search} onClear={onClear} action={emptyAction} />
      </Boxed>
    );
  return (
    <div className="flex flex-col gap-3">
      <ChangedPill changed={changed} onApply={apply} />
      <Boxed isDim={isPlaceholderData}>
        <Table caption="Jobs, open ones first, then the newest">
          <TableHead>
            <HeadCell>Operation</HeadCell>
            <HeadCell>State</HeadCell>
            <HeadCell>Cluster</HeadCell>
            <HeadCell className="w-48">Progress</HeadCell>
            <HeadCell>Server</HeadCell>
            <HeadCell>Asked</HeadCell>
            <HeadCell align="right">Waited</HeadCell>
            <HeadCell align="right">Ran</HeadCell>
            <HeadCell className="w-80">Outcome</HeadCell>
          </TableHead>
          <TableBody>
            {shown.map(({ row, hasLeft }) => (
              <JobRowView key={row.id} job={row} usual={usual?.[row.kind]} hasLeft={hasLeft} />
            ))}
          </TableBody>
        </Table>
      </Boxed>
      <Pager isFirst={search.after === null} next={data.next} onPage={onPage} />
    </div>
  );
}

function Boxed({ isDim = false, children }: { isDim?: boolean; children: ReactNode }) {
  return (
    <div
      className={`overflow-hidden rounded-lg border border-line bg-surface shadow-panel ${isDim ? 'opacity-60' : ''}`}
    >
      {children}
    </div>
  );
}

/** How much has changed since the reader last looked; nothing moves before the click. */
export function ChangedPill({
  changed,
  onApply,
  noun = 'changed',
}: {
  changed: number;
  onApply: () => void;
  noun?: string;
}) {
  return (
    <div role="status" className="flex min-h-0 justify-center empty:hidden">
      {changed === 0 ? null : (
        <Button size="sm" className="rounded-full" onClick={onApply}>
          {changed >= 100 ? '99+' : changed} {noun} – show
        </Button>
      )}
    </div>
  );
}

export function Pager({
  isFirst,
  next,
  onPage,
}: {
  isFirst: boolean;
  next: string | null;
  onPage: (after: string | null) => void;
}) {
  if (isFirst && next === null) return null;
  return (
    <nav aria-label="Pages" className="flex justify-end gap-2">
      <Button size="sm" reason={isFirst ? 'This is the first page.' : undefined} onClick={() => onPage(null)}>
        First page
      </Button>
      <Button
        size="sm"
        reason={next === null ? 'This is the last page.' : undefined}
        onClick={() => next !== null && onPage(next)}
      >
        Next page
      </Button>
    </nav>
  );
}

function Empty({ search, onClear, action }: { search: JobSearch; onClear: () => void; action: ReactNode }) {
  if (isFiltered(search)) {
    return (
      <EmptyState
        icon={Activity}
        title="No job matches"
        text="Other filters may show more."
        action={<Button onClick={onClear}>Clear filters</Button>}
      />
    );
  }
  if (search.tab === 'all' || search.tab === 'refused') {
    return (
      <EmptyState
        icon={Activity}
        title="No operation has been asked yet"
        text="Each start, stop, scale or upgrade of a cluster leaves a job here."
        action={action}
      />
    );
  }
  return (
    <EmptyState
      icon={Activity}
      title={`None ${looks[search.tab].label.toLowerCase()}`}
      text={looks[search.tab].meaning}
    />
  );
}
