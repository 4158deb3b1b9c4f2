'use client';
import { ArrowRight } from 'lucide-react';
import { kindLabel } from '@/components/jobs/job-words';
import { StateBadge } from '@/components/lifecycle/state-badge';
import { routes } from '@/components/routes';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import { Elapsed } from '@/components/ui/time';
import type { HeldWork } from '@/db/queries/server-detail';

/** What a server holds, and what recovery would make of each cluster if the server died now. */
export function HeldWorkTable({ held }: { held: readonly HeldWork[] }) {
  return (
    <Table caption="Jobs and clusters it holds">
      <TableHead>
        <HeadCell>Cluster</HeadCell>
        <HeadCell>Operation</HeadCell>
        <HeadCell>Step</HeadCell>
        <HeadCell>Running for</HeadCell>
        <HeadCell>If it died now</HeadCell>
      </TableHead>
      <TableBody>
        {held.map((work) => (
          <TableRow key={work.jobId}>
            <RowHeadCell>
              {work.cluster === null ? (
                <span className="text-faint">no cluster recorded</span>
              ) : (
                <TextLink
                  href={routes.cluster(work.cluster.id)}
                  className="font-medium text-ink decoration-line-strong"
                >
                  {work.cluster.name}
                </TextLink>
              )}
            </RowHeadCell>
            <Cell label="Operation">
              <TextLink href={routes.job(work.jobId)}>{kindLabel(work.kind)}</TextLink>
              <span className="block text-xs text-faint">by {work.actorName}</span>
            </Cell>
            <Cell label="Step">
              {work.stepsTotal === 0 ? (
                <span className="text-faint">–</span>
              ) : (
                <>
                  <span className="tabular-nums">
                    {Math.min(work.stepsDone + 1, work.stepsTotal)} of {work.stepsTotal}
                  </span>
                  {work.currentStep === null ? null : (
                    <span className="block max-w-56 truncate text-xs text-faint">{work.currentStep}</span>
                  )}
                </>
              )}
            </Cell>
            <Cell label="For" className="whitespace-nowrap tabular-nums">
              {work.startedAt === null ? <span className="text-faint">–</span> : <Elapsed since={work.startedAt} />}
            </Cell>
            <Cell label="If it died">
              <IfItDied work={work} />
            </Cell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function IfItDied({ work }: { work: HeldWork }) {
  if (work.cluster === null) return <span className="text-soft">recovery would be held back</span>;
  if (work.wouldBecome === null) return <span className="text-soft">released, its state stays</span>;
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <StateBadge state={work.cluster.state} isQuiet />
      <ArrowRight aria-label="becomes" className="size-3 shrink-0 text-faint" />
      <StateBadge state={work.wouldBecome} isQuiet />
      {work.stopWaits ? <span className="text-xs text-faint">by the stop that waits</span> : null}
    </span>
  );
}
