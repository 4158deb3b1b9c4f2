'use client';
import Link from 'next/link';
import { StateBadge } from '@/components/lifecycle/state-badge';
import { routes } from '@/components/routes';
import { classNames } from '@/components/ui/class-names';
import { Copyable } from '@/components/ui/copyable';
import { ProgressSteps } from '@/components/ui/progress-steps';
import { Cell, RowHeadCell, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import { Elapsed, Time } from '@/components/ui/time';
import { durationText } from '@/components/ui/time-format';
import { useNow } from '@/components/ui/use-now';
import type { JobRow } from '@/db/queries/job-rows';
import type { Usual } from '@/db/queries/job-usual';
import { JobBadge, JobFlags } from './job-badges';
import { jobFlags } from './job-flags';
import { jobLook, kindLabel, outcomeText, shortId } from './job-words';

export function JobRowView({ job, usual, hasLeft }: { job: JobRow; usual: Usual | undefined; hasLeft: boolean }) {
  const now = useNow();
  const saysNothing = outcomeText(job) === null && job.lateResultAt === null && jobFlags(job, usual, now).length === 0;
  return (
    <TableRow className={classNames(hasLeft && 'bg-subtle/50 grayscale')}>
      <RowHeadCell className="max-sm:pb-1">
        <Link href={routes.job(job.id)} className="font-medium hover:underline max-sm:text-base">
          {kindLabel(job.kind)}
        </Link>
        <div className="-my-0.5 max-sm:ml-auto">
          <Copyable value={job.id} shown={shortId(job.id)} label="Copy the id of job" />
        </div>
      </RowHeadCell>
      <Cell>
        <JobBadge job={job} />
        {hasLeft ? <p className="mt-0.5 text-xs text-faint">no longer in this list</p> : null}
      </Cell>
      <Cell label="Cluster">
        {job.clusterId === null || job.clusterName === null ? (
          <span className="text-faint">none recorded</span>
        ) : (
          <div className="flex flex-col items-start gap-0.5">
            <TextLink
              href={routes.cluster(job.clusterId)}
              className="max-w-44 truncate text-ink decoration-line-strong"
            >
              {job.clusterName}
            </TextLink>
            {job.finishedAt === null && job.clusterState !== null ? (
              <StateBadge state={job.clusterState} isQuiet />
            ) : null}
          </div>
        )}
      </Cell>
      <Cell label="Progress" onPhone={job.stepsTotal === 0 ? 'hidden' : 'shown'}>
        <Progress job={job} />
      </Cell>
      <Cell label="Server" onPhone={job.server === null ? 'hidden' : 'shown'}>
        <ServerOf job={job} />
      </Cell>
      <Cell label="Asked">
        <span className="block max-w-32 truncate">{job.actorName}</span>
        <Time value={job.acceptedAt} className="text-xs whitespace-nowrap text-faint" />
      </Cell>
      <Cell
        label="Waited"
        align="right"
        className="whitespace-nowrap tabular-nums"
        onPhone={job.status === 'waiting' ? 'shown' : 'hidden'}
      >
        <Waited job={job} />
      </Cell>
      <Cell
        label="Ran"
        align="right"
        className="whitespace-nowrap tabular-nums"
        onPhone={job.startedAt === null ? 'hidden' : 'shown'}
      >
        <Ran job={job} usual={usual} />
      </Cell>
      <Cell label="Outcome" className="max-w-80" onPhone={saysNothing ? 'hidden' : 'shown'}>
        <Outcome job={job} usual={usual} />
      </Cell>
    </TableRow>
  );
}

/** What became of it; while it runs, what may be wrong with it. */
function Outcome({ job, usual }: { job: JobRow; usual: Usual | undefined }) {
  const now = useNow();
  const outcome = outcomeText(job);
  const [first] = jobFlags(job, usual, now);
  if (first !== undefined) {
    return (
      <div className="flex flex-col gap-1">
        <span className="flex flex-wrap gap-1">
          <JobFlags job={job} usual={usual} />
        </span>
        <p className="line-clamp-2 text-xs text-soft" title={first.text}>
          {first.text}
        </p>
        {first.name === 'orphaned' ? (
          <TextLink href={routes.recovery} className="text-xs">
            what recovery would do
          </TextLink>
        ) : null}
      </div>
    );
  }
  if (outcome === null && job.lateResultAt === null) return <span className="text-faint">–</span>;
  return (
    <>
      {outcome === null ? null : (
        <p className="line-clamp-2 text-soft" title={outcome}>
          {outcome}
        </p>
      )}
      {job.lateResultAt === null ? null : <p className="text-xs font-medium text-warning">Late result ignored</p>}
      {job.endedByPassId === null ? null : (
        <TextLink href={routes.recoveryRun(job.endedByPassId)} className="text-xs">
          pass {job.endedByPassId}
        </TextLink>
      )}
    </>
  );
}

function Progress({ job }: { job: JobRow }) {
  if (job.stepsTotal === 0) return <span className="text-faint">–</span>;
  const isOpen = job.finishedAt === null;
  const tone = isOpen ? 'info' : jobLook(job) === 'succeeded' ? 'success' : 'neutral';
  return (
    <div className="flex w-full min-w-32 flex-col gap-1">
      <span className="text-xs text-soft tabular-nums">
        Step {isOpen ? Math.min(job.stepsDone + 1, job.stepsTotal) : job.stepsDone} of {job.stepsTotal}
        {job.attempt > 1 ? <span className="text-warning"> · attempt {job.attempt}</span> : null}
      </span>
      <ProgressSteps
        done={job.stepsDone}
        total={job.stepsTotal}
        label={`Progress of ${kindLabel(job.kind)}`}
        tone={tone}
      />
      {isOpen && job.currentStep !== null ? (
        <span className="max-w-44 truncate text-xs text-faint" title={job.currentStep}>
          {job.currentStep}
        </span>
      ) : null}
    </div>
  );
}

function ServerOf({ job }: { job: JobRow }) {
  if (job.server === null) return <span className="text-faint">–</span>;
  const { server } = job;
  return (
    <>
      <TextLink href={routes.server(server.id)} className="text-ink decoration-line-strong">
        {server.name}
      </TextLink>
      <span className="block text-xs whitespace-nowrap text-faint" title={`Run ${server.id}`}>
        {job.finishedAt === null && server.state !== 'departed' ? (
          <>
            beat <Elapsed since={server.lastBeatAt} /> ago
          </>
        ) : (
          <span className="font-mono">{shortId(server.id)}</span>
        )}
      </span>
    </>
  );
}

function Waited({ job }: { job: JobRow }) {
  if (job.status === 'waiting') return <Elapsed since={job.acceptedAt} />;
  const waitedMs = job.startedAt === null ? null : Date.parse(job.startedAt) - Date.parse(job.acceptedAt);
  // Nearly every job is entered as it is accepted; less than a second is no wait.
  return waitedMs === null || waitedMs < 1000 ? <span className="text-faint">–</span> : durationText(waitedMs);
}

function Ran({ job, usual }: { job: JobRow; usual: Usual | undefined }) {
  const now = useNow();
  if (job.startedAt === null) return <span className="text-faint">–</span>;
  const isSlow = jobFlags(job, usual, now).some((flag) => flag.name === 'slow');
  return (
    <span className={classNames(isSlow && 'font-medium text-warning')}>
      <Elapsed since={job.startedAt} until={job.finishedAt} />
      {usual !== undefined && job.finishedAt === null ? (
        <span className="block text-xs font-normal text-faint">usual {durationText(usual.p50Ms, true)}</span>
      ) : null}
    </span>
  );
}
