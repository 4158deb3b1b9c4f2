'use client';
import { classNames } from '@/components/ui/class-names';
import {
  Cell,
  HeadCell,
  RowHeadCell,
  SortHeadCell,
  Table,
  TableBody,
  TableHead,
  TableRow,
} from '@/components/ui/table';
import type { ClusterSearch, ClusterSort } from '@/db/queries/cluster-conditions';
import { LastEventCell, NameCell, NodesCell, StateCell, VersionCell } from './cluster-cells';
import { HolderLine } from './holder-line';
import { OperationMenu } from './operation-menu';
import type { SearchChange } from './use-cluster-search';
import type { SteadyRow } from './use-steady-rows';

export function ClusterTable({
  rows,
  search,
  onChange,
}: {
  rows: readonly SteadyRow[];
  search: ClusterSearch;
  onChange: (change: SearchChange) => void;
}) {
  const head = (sort: ClusterSort, label: string) => {
    const isSorted = search.sort === sort;
    const next = isSorted && search.order === 'asc' ? 'desc' : 'asc';
    return (
      <SortHeadCell
        direction={isSorted ? search.order : null}
        onSort={() => onChange({ sort: sort === 'name' ? null : sort, order: next === 'asc' ? null : next })}
      >
        {label}
      </SortHeadCell>
    );
  };
  return (
    <Table caption="Clusters">
      <TableHead>
        {head('name', 'Name')}
        {head('state', 'State')}
        <HeadCell>Operation</HeadCell>
        {head('version', 'Version')}
        {head('nodes', 'Nodes')}
        <HeadCell className="max-lg:hidden">Zone</HeadCell>
        <HeadCell className="max-lg:hidden">Owner</HeadCell>
        <HeadCell className="max-2xl:hidden">Last event</HeadCell>
        <HeadCell className="w-10">
          <span className="sr-only">Operations</span>
        </HeadCell>
      </TableHead>
      <TableBody>
        {rows.map((each) => (
          <ClusterTableRow key={each.row.id} {...each} />
        ))}
      </TableBody>
    </Table>
  );
}

function ClusterTableRow({ row, hasLeft }: SteadyRow) {
  return (
    <TableRow className={classNames(hasLeft && 'bg-subtle/50 grayscale')}>
      <RowHeadCell className="max-sm:pr-10">
        <NameCell row={row} />
        {hasLeft ? <p className="text-xs text-faint">No longer in this list</p> : null}
      </RowHeadCell>
      <Cell>
        <StateCell row={row} />
      </Cell>
      <Cell onPhone={row.holder === null ? 'hidden' : 'shown'} className="max-sm:pt-2">
        {row.holder === null ? (
          <span className="text-faint">–</span>
        ) : (
          <HolderLine holder={row.holder} isOrphaned={row.isOrphaned} />
        )}
      </Cell>
      <Cell label="Version">
        <VersionCell row={row} />
      </Cell>
      <Cell label="Nodes">
        <NodesCell row={row} />
      </Cell>
      <Cell label="Zone" onPhone="hidden" className="max-lg:hidden">
        {row.zoneName}
      </Cell>
      <Cell label="Owner" onPhone="hidden" className="max-lg:hidden">
        {row.createdBy}
      </Cell>
      <Cell onPhone="hidden" className="max-2xl:hidden">
        <LastEventCell row={row} />
      </Cell>
      <Cell className="text-right max-sm:absolute max-sm:top-3 max-sm:right-3">
        <OperationMenu cluster={row} />
      </Cell>
    </TableRow>
  );
}
