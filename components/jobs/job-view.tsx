'use client';
import { useQuery } from '@tanstack/react-query';
import { RequestFailed } from '@/components/request';
import { routes } from '@/components/routes';
import { CrumbLabel } from '@/components/shell/breadcrumb';
import { Copyable } from '@/components/ui/copyable';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { EmptyState, FailedState, Skeleton } from '@/components/ui/states';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import type { JobDetail } from '@/db/queries/job';
import type { Role } from '@/domain/actor';
import { JobActs } from './job-acts';
import { JobBadge, JobFlags } from './job-badges';
import { JobData } from './job-data';
import { JobFacts } from './job-facts';
import { JobLog } from './job-log';
import { JobNotices } from './job-notices';
import { jobQuery, type UsualByName, usualJobsQuery, usualStepsQuery } from './job-queries';
import { JobRelated } from './job-related';
import { JobTimeline } from './job-timeline';
import { JobTransitions } from './job-transitions';
import { kindLabel, shortId } from './job-words';
import { StepsTable } from './steps-table';

export function JobView({ id, role }: { id: string; role: Role }) {
  const { data: job, error, refetch, isFetching } = useQuery(jobQuery(id));
  if (job === undefined) {
    if (error === null) return <Skeleton lines={10} label="Loading the job" />;
    if (error instanceof RequestFailed && error.status === 404) {
      return (
        <EmptyState
          title="There is no such job"
          text="Finished jobs are removed some time after they ended; their events stay."
          action={<TextLink href={routes.jobs}>All jobs</TextLink>}
        />
      );
    }
    return (
      <FailedState
        title="The job could not be read"
        text={error.message}
        reference={error instanceof RequestFailed ? error.reference : undefined}
        onRetry={() => void refetch()}
        isBusy={isFetching}
      />
    );
  }
  return <LoadedJob job={job} role={role} />;
}

function LoadedJob({ job, role }: { job: JobDetail; role: Role }) {
  const { data: usualJobs } = useQuery(usualJobsQuery());
  const { data: usualSteps } = useQuery(usualStepsQuery(job.id));
  const usual = usualJobs?.[job.kind];
  return (
    <div className="flex flex-col gap-4">
      <CrumbLabel segment={job.id} label={`${kindLabel(job.kind)} ${shortId(job.id)}`} />
      <PageHeader
        title={titleOf(job)}
        badge={
          <>
            <JobBadge job={job} />
            <JobFlags job={job} usual={usual} />
          </>
        }
        description={<Byline job={job} />}
        actions={<JobActs job={job} role={role} />}
      />
      <JobNotices job={job} usual={usual} />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <StepsPanel job={job} usual={usualSteps} />
          <JobLog jobId={job.id} isOpen={job.finishedAt === null} />
          <JobTransitions job={job} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <JobFacts job={job} usual={usual} />
          <JobRelated job={job} />
          <JobData job={job} />
        </div>
      </div>
    </div>
  );
}

function titleOf(job: JobDetail) {
  if (job.clusterId === null || job.clusterName === null) return `${kindLabel(job.kind)} of an older server`;
  return (
    <>
      {kindLabel(job.kind)} <span className="font-normal text-faint">of</span>{' '}
      <TextLink href={routes.cluster(job.clusterId)} className="text-ink decoration-line-strong">
        {job.clusterName}
      </TextLink>
    </>
  );
}

function Byline({ job }: { job: JobDetail }) {
  return (
    <span className="flex flex-wrap items-center gap-x-1.5">
      asked by {job.actorName}
      <Time value={job.acceptedAt} />
      {job.server === null ? null : (
        <span>
          · on <TextLink href={routes.server(job.server.id)}>{job.server.name}</TextLink>
        </span>
      )}
      · <Copyable value={job.id} shown={shortId(job.id)} label="Copy the id of job" />
    </span>
  );
}

function StepsPanel({ job, usual }: { job: JobDetail; usual: UsualByName | undefined }) {
  const done = job.stepsTotal === 0 ? undefined : `${job.stepsDone} of ${job.stepsTotal} done`;
  return (
    <Panel
      id="steps"
      title="Steps"
      description={done}
      actions={usual === undefined || job.steps.length === 0 ? undefined : <Legend />}
      flush
    >
      {job.steps.length === 0 ? (
        <EmptyState
          title={job.status === 'waiting' ? 'It has not begun' : 'No step yet'}
          text={
            job.status === 'waiting'
              ? 'It takes over when the running start reaches a step boundary.'
              : 'This job had nothing to do step by step.'
          }
        />
      ) : (
        <>
          <div className="border-b border-line px-4 py-3">
            <JobTimeline job={job} usual={usual} />
          </div>
          <StepsTable job={job} usual={usual} />
        </>
      )}
    </Panel>
  );
}

function Legend() {
  return (
    <span aria-hidden className="flex items-center gap-3 text-xs text-faint max-sm:hidden">
      <span className="flex items-center gap-1">
        <span className="h-3 border-l border-ink/60" /> usual
      </span>
      <span className="flex items-center gap-1">
        <span className="h-3 border-l border-dashed border-ink/60" /> 19 of 20
      </span>
      <span className="flex items-center gap-1">
        <span className="h-3 w-0.5 bg-danger-mark" /> failed attempt
      </span>
    </span>
  );
}
