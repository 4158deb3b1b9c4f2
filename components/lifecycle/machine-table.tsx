'use client';
import { useState } from 'react';
import { Input } from '@/components/ui/input';
import { Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/states';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { durationText } from '@/components/ui/time-format';
import type { LifecycleFleet } from '@/db/queries/lifecycle';
import { stateLabels } from '@/domain/states';
import { allEdges, type Edge } from '@/domain/transitions';
import { edgeStyles } from './edge-line';
import { askedBy, edgeKind, eventLabel } from './machine-edges';
import { StateBadge } from './state-badge';

/** Every row of the machine: the equal of the picture, and its text alternative. */
export function MachineTable({ fleet }: { fleet: LifecycleFleet | undefined }) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const edges = allEdges().filter((edge) => wanted === '' || wordsOf(edge).includes(wanted));
  return (
    <Panel
      id="transitions"
      title="Transitions"
      description={`${allEdges().length} rows; nothing else can change a state.`}
      flush
      actions={
        <span className="w-full sm:w-56">
          <Input
            type="search"
            aria-label="Search the transitions"
            placeholder="State or event…"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </span>
      }
    >
      {edges.length === 0 ? (
        <EmptyState title="No transition matches" />
      ) : (
        <Table caption="Transitions of the machine">
          <TableHead>
            <HeadCell>From</HeadCell>
            <HeadCell>Event</HeadCell>
            <HeadCell>To</HeadCell>
            <HeadCell>Kind</HeadCell>
            <HeadCell>Asked by</HeadCell>
            <HeadCell align="right">Last 24 h</HeadCell>
            <HeadCell align="right">Usual stay there</HeadCell>
          </TableHead>
          <TableBody>
            {edges.map((edge) => (
              <TableRow key={`${edge.from} ${edge.event}`}>
                <RowHeadCell>
                  <StateBadge state={edge.from} isQuiet />
                </RowHeadCell>
                <Cell label="Event">
                  <span title={edge.event}>{eventLabel(edge.event)}</span>
                </Cell>
                <Cell label="To">
                  <StateBadge state={edge.to} isQuiet />
                </Cell>
                <Cell label="Kind" className="text-soft">
                  {edgeStyles[edgeKind(edge.event)].label}
                </Cell>
                <Cell label="Asked by" className="text-soft">
                  {askedBy(edge)}
                </Cell>
                <Cell label="Last 24 h" align="right" className="tabular-nums">
                  <Count fleet={fleet} edge={edge} />
                </Cell>
                <Cell label="Usual stay" align="right" className="whitespace-nowrap text-soft tabular-nums">
                  {stayText(fleet, edge)}
                </Cell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </Panel>
  );
}

function wordsOf(edge: Edge): string {
  return `${edge.from} ${stateLabels[edge.from]} ${edge.event} ${eventLabel(edge.event)} ${edge.to} ${stateLabels[edge.to]}`.toLowerCase();
}

function Count({ fleet, edge }: { fleet: LifecycleFleet | undefined; edge: Edge }) {
  if (fleet === undefined) return <span className="text-faint">–</span>;
  const count = fleet.uses.find((use) => use.from === edge.from && use.event === edge.event)?.count ?? 0;
  return count === 0 ? <span className="text-faint">0</span> : <span className="font-medium">{count}</span>;
}

function stayText(fleet: LifecycleFleet | undefined, edge: Edge): string {
  const usual = fleet?.dwell[edge.to];
  return usual === undefined ? '–' : `${durationText(usual.p50Ms)} (19 of 20: ${durationText(usual.p95Ms)})`;
}
