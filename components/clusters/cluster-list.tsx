'use client';
import { useQuery } from '@tanstack/react-query';
import { Boxes, SearchX } from 'lucide-react';
import { RequestFailed } from '@/components/request';
import { routes } from '@/components/routes';
import { Button, ButtonLink } from '@/components/ui/button';
import { PanelBoundary } from '@/components/ui/panel-boundary';
import { EmptyState, FailedState, Skeleton } from '@/components/ui/states';
import type { ClusterList as List } from '@/db/queries/cluster-dto';
import { ClusterFilters, ClusterPresets } from './cluster-filters';
import { clusterListQuery, searchText } from './cluster-queries';
import { ClusterTable } from './cluster-table';
import { useClusterSearch } from './use-cluster-search';
import { useSteadyRows } from './use-steady-rows';
import { whileHeld } from './while-held';

const nothing: List['rows'] = [];

/** The clusters list: filters in the address, rows that change in place, order that waits for a click. */
export function ClusterList({ mayCreate }: { mayCreate: boolean }) {
  const { search, change, clear, isFiltered } = useClusterSearch();
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...clusterListQuery(search),
    refetchInterval: ({ state }) => whileHeld(state.data?.rows.some((row) => row.holder !== null) ?? false, 'list'),
  });
  const steady = useSteadyRows(isPlaceholderData ? 'waiting' : searchText(search), data?.rows ?? nothing);
  return (
    <div className="flex flex-col gap-3">
      <ClusterPresets search={search} list={data} onChange={change} />
      <ClusterFilters search={search} list={data} isFiltered={isFiltered} onChange={change} onClear={clear} />
      <div
        className="overflow-clip rounded-lg border border-line bg-surface shadow-panel"
        aria-busy={isFetching && isPlaceholderData}
      >
        <PanelBoundary>
          {data === undefined ? (
            <Waiting error={error} isBusy={isFetching} onRetry={() => void refetch()} />
          ) : data.rows.length === 0 && steady.rows.length === 0 ? (
            <Nothing isFiltered={isFiltered} mayCreate={mayCreate} onClear={clear} />
          ) : (
            <ClusterTable rows={steady.rows} search={search} onChange={change} />
          )}
        </PanelBoundary>
      </div>
      <footer className="flex min-h-8 flex-wrap items-center justify-between gap-2 text-sm text-faint">
        <p role="status">{data === undefined ? '' : countText(data.total, steady.rows.length)}</p>
        <div className="flex gap-2">
          {search.cursor === undefined ? null : (
            <Button size="sm" onClick={() => change({ cursor: null })}>
              First page
            </Button>
          )}
          {data?.nextCursor == null ? null : (
            <Button size="sm" onClick={() => change({ cursor: data.nextCursor })}>
              Next page
            </Button>
          )}
        </div>
      </footer>
      {steady.changeCount === 0 ? null : (
        <div className="pointer-events-none sticky bottom-4 z-20 flex justify-center">
          <Button variant="primary" className="pointer-events-auto rounded-full shadow-float" onClick={steady.apply}>
            {steady.changeCount} changed – show
          </Button>
        </div>
      )}
    </div>
  );
}

function countText(total: number, shown: number): string {
  if (total <= shown) return total === 1 ? '1 cluster' : `${total} clusters`;
  return `${shown} of ${total} clusters`;
}

function Waiting({ error, isBusy, onRetry }: { error: Error | null; isBusy: boolean; onRetry: () => void }) {
  if (error === null) return <Skeleton lines={8} label="Loading clusters" />;
  const reference = error instanceof RequestFailed ? error.reference : undefined;
  return (
    <FailedState
      title="The clusters could not be read"
      text={error.message}
      reference={reference}
      onRetry={onRetry}
      isBusy={isBusy}
    />
  );
}

function Nothing({ isFiltered, mayCreate, onClear }: { isFiltered: boolean; mayCreate: boolean; onClear: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={SearchX}
        title="No cluster matches"
        text="Other filters may show more."
        action={<Button onClick={onClear}>Clear filters</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon={Boxes}
      title="No clusters yet"
      text="A cluster is a set of virtual machines that Holdfast builds, watches and repairs."
      action={
        <ButtonLink
          variant="primary"
          href={routes.newCluster}
          reason={mayCreate ? undefined : 'Needs the role operator.'}
        >
          Create a cluster
        </ButtonLink>
      }
    />
  );
}
