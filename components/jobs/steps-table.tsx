'use client';
import { CircleCheck, CircleDashed, CircleSlash, CircleX, LoaderCircle, type LucideIcon } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Badge } from '@/components/ui/badge';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { Elapsed, Time } from '@/components/ui/time';
import { durationText } from '@/components/ui/time-format';
import { useNow } from '@/components/ui/use-now';
import type { JobDetail, JobStep } from '@/db/queries/job';
import type { Usual } from '@/db/queries/job-usual';
import type { UsualByName } from './job-queries';
import { stepFamily, stepTone } from './timeline-bars';

const icons: Readonly<Record<JobStep['status'], LucideIcon>> = {
  running: LoaderCircle,
  done: CircleCheck,
  failed: CircleX,
  skipped: CircleSlash,
  stopped: CircleDashed,
};
const words: Readonly<Record<JobStep['status'], string>> = {
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  skipped: 'Skipped',
  stopped: 'Stopped',
};

/** The steps in words: the equal of the picture above it. Arrow keys walk the rows. */
export function StepsTable({ job, usual }: { job: JobDetail; usual: UsualByName | undefined }) {
  const missing = job.finishedAt === null ? Math.max(0, job.stepsTotal - job.steps.length) : 0;
  return (
    <Table caption="Steps of this job">
      <TableHead>
        <HeadCell className="w-8">#</HeadCell>
        <HeadCell>Step</HeadCell>
        <HeadCell>State</HeadCell>
        <HeadCell align="right">Began</HeadCell>
        <HeadCell align="right">Took</HeadCell>
        <HeadCell align="right">Usual</HeadCell>
        <HeadCell align="right">Attempts</HeadCell>
      </TableHead>
      <TableBody>
        {job.steps.map((step, index) => (
          <StepRow
            key={step.name}
            step={step}
            number={index + 1}
            origin={job.acceptedAt}
            usual={usual?.[stepFamily(step.name)]}
          />
        ))}
        {missing === 0 ? null : (
          <TableRow>
            <Cell colSpan={7} className="text-faint">
              {missing} more {missing === 1 ? 'step' : 'steps'} to come
            </Cell>
          </TableRow>
        )}
      </TableBody>
    </Table>
  );
}

function StepRow({
  step,
  number,
  origin,
  usual,
}: {
  step: JobStep;
  number: number;
  origin: string;
  usual: Usual | undefined;
}) {
  const now = useNow();
  const tookMs = (step.endedAt === null ? (now ?? 0) : Date.parse(step.endedAt)) - Date.parse(step.startedAt);
  const isOver = usual !== undefined && tookMs > usual.p95Ms;
  const note = step.error ?? step.message;
  return (
    <TableRow tabIndex={0} className="-outline-offset-2" onKeyDown={walk}>
      <Cell className="text-faint tabular-nums" onPhone="hidden">
        {number}
      </Cell>
      <RowHeadCell>
        <div className="min-w-0">
          <span className="font-medium">{step.label}</span>
          {note === null ? null : (
            <p className={step.error === null ? 'text-xs text-faint' : 'text-xs text-danger'}>{note}</p>
          )}
        </div>
      </RowHeadCell>
      <Cell label="State">
        <Badge tone={stepTone[step.status]} icon={icons[step.status]} isActive={step.status === 'running'}>
          {words[step.status]}
        </Badge>
      </Cell>
      <Cell label="Began" align="right" className="whitespace-nowrap text-faint tabular-nums">
        <time dateTime={step.startedAt} title={step.startedAt}>
          +{durationText(Date.parse(step.startedAt) - Date.parse(origin))}
        </time>
      </Cell>
      <Cell
        label="Took"
        align="right"
        className={
          isOver ? 'font-medium whitespace-nowrap text-warning tabular-nums' : 'whitespace-nowrap tabular-nums'
        }
      >
        <Elapsed since={step.startedAt} until={step.endedAt} />
      </Cell>
      <Cell
        label="Usual"
        align="right"
        className="whitespace-nowrap text-faint tabular-nums"
        onPhone={usual === undefined ? 'hidden' : 'shown'}
      >
        {usual === undefined ? (
          '–'
        ) : (
          <span title={`of ${usual.runs} runs; 19 of 20 are done after ${durationText(usual.p95Ms)}`}>
            {durationText(usual.p50Ms)}
          </span>
        )}
      </Cell>
      <Cell label="Attempts" align="right" className="tabular-nums" onPhone={step.attempt > 1 ? 'shown' : 'hidden'}>
        {step.attempt}
        {step.retriedAt.length === 0 ? null : (
          <span className="block text-xs text-faint">
            last <Time value={step.retriedAt.at(-1) ?? step.startedAt} />
          </span>
        )}
      </Cell>
    </TableRow>
  );
}

/** Up and down move the focus from row to row. */
function walk(event: KeyboardEvent<HTMLTableRowElement>) {
  if (event.target !== event.currentTarget) return;
  const next =
    event.key === 'ArrowDown'
      ? event.currentTarget.nextElementSibling
      : event.key === 'ArrowUp'
        ? event.currentTarget.previousElementSibling
        : null;
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}
