'use client';
import { ArrowRight } from 'lucide-react';
import { StateBadge } from '@/components/lifecycle/state-badge';
import { Panel } from '@/components/ui/panel';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import type { JobDetail } from '@/db/queries/job';
import type { TransitionCause } from '@/domain/jobs';

export const causeWords: Readonly<Record<TransitionCause, string>> = {
  create: 'created',
  entry: 'taken by an operation',
  end: 'operation ended',
  recovery: 'recovered by a pass',
  'hand-over': 'handed over',
  drift: 'drift found',
  'admin-end': 'ended by an admin',
  foreign: 'unknown writer',
};

/** Every conditional write of the cluster's state that this job made, with the token in force. */
export function JobTransitions({ job }: { job: JobDetail }) {
  return (
    <Panel id="transitions" title="Transitions" description="Changes of the cluster's state under this job." flush>
      {job.transitions.length === 0 ? (
        <p className="px-4 py-3 text-sm text-faint">
          It changed no state
          {job.heldState !== null && job.heldState === job.fromState ? ': it held the cluster as it was' : ''}.
        </p>
      ) : (
        <Table caption="Transitions made by this job">
          <TableHead>
            <HeadCell>#</HeadCell>
            <HeadCell>From and to</HeadCell>
            <HeadCell>Event</HeadCell>
            <HeadCell>Cause</HeadCell>
            <HeadCell align="right">Token</HeadCell>
            <HeadCell>Server</HeadCell>
            <HeadCell>When</HeadCell>
          </TableHead>
          <TableBody>
            {job.transitions.map((each) => (
              <TableRow key={each.seq}>
                <RowHeadCell className="text-faint tabular-nums">{each.seq}</RowHeadCell>
                <Cell>
                  <span className="flex items-center gap-1.5">
                    <StateBadge state={each.from} isQuiet />
                    <ArrowRight aria-label="to" className="size-3 shrink-0 text-faint" />
                    <StateBadge state={each.to} isQuiet />
                  </span>
                </Cell>
                <Cell label="Event" className="font-mono text-xs">
                  {each.event ?? '–'}
                </Cell>
                <Cell label="Cause">
                  {causeWords[each.cause]}
                  {each.reason === null ? null : <p className="text-xs text-faint">{each.reason}</p>}
                </Cell>
                <Cell label="Token" align="right" className="font-mono text-xs">
                  {each.token}
                </Cell>
                <Cell label="Server" className="whitespace-nowrap">
                  {each.serverName ?? <span className="text-faint">–</span>}
                </Cell>
                <Cell label="When" className="whitespace-nowrap text-faint">
                  <Time value={each.at} mode="absolute" />
                </Cell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </Panel>
  );
}
