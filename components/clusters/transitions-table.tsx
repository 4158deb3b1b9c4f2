'use client';
import { kindLabel } from '@/components/jobs/job-words';
import { StateBadge } from '@/components/lifecycle/state-badge';
import { routes } from '@/components/routes';
import { EmptyState } from '@/components/ui/states';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import { Elapsed, Time } from '@/components/ui/time';
import type { TransitionLine } from '@/db/queries/cluster-dto';
import type { TransitionCause } from '@/domain/jobs';

const causes: Readonly<Record<TransitionCause, string>> = {
  create: 'created',
  entry: 'operation began',
  end: 'operation ended',
  recovery: 'recovered by a pass',
  'hand-over': 'handed over to a waiting stop',
  drift: 'drift found by a pass',
  'admin-end': 'ended by an admin',
  foreign: 'changed by an unknown writer',
};

/** Every change of state, the latest first: the table behind the strip. */
export function TransitionsTable({ transitions }: { transitions: readonly TransitionLine[] }) {
  if (transitions.length === 0) return <EmptyState title="No change of state yet" />;
  return (
    <Table caption="Changes of state, the latest first">
      <TableHead>
        <HeadCell>Time</HeadCell>
        <HeadCell>To</HeadCell>
        <HeadCell>From</HeadCell>
        <HeadCell>Lasted</HeadCell>
        <HeadCell>Why</HeadCell>
        <HeadCell>Job</HeadCell>
      </TableHead>
      <TableBody>
        {transitions.map((line, index) => (
          <TableRow key={line.seq}>
            <RowHeadCell>
              <Time value={line.at} mode="absolute" />
            </RowHeadCell>
            <Cell label="To">
              <StateBadge state={line.to} />
            </Cell>
            <Cell label="From">
              <StateBadge state={line.from} isQuiet />
            </Cell>
            <Cell label="Lasted">
              <Elapsed since={line.at} until={transitions[index - 1]?.at} />
            </Cell>
            <Cell label="Why">
              {causes[line.cause]}
              {line.event === null ? null : <span className="ml-1.5 font-mono text-xs text-faint">{line.event}</span>}
              {line.reason === null ? null : <p className="text-xs text-soft">{line.reason}</p>}
            </Cell>
            <Cell label="Job">
              {line.jobId === null ? (
                <span className="text-faint">–</span>
              ) : (
                <TextLink href={routes.job(line.jobId)}>
                  {line.jobKind === null ? 'job' : kindLabel(line.jobKind)}
                  {line.actorName === null ? '' : ` by ${line.actorName}`}
                </TextLink>
              )}
            </Cell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
