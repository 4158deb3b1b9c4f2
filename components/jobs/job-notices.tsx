'use client';
import { routes } from '@/components/routes';
import { Callout } from '@/components/ui/callout';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import { useNow } from '@/components/ui/use-now';
import type { JobDetail } from '@/db/queries/job';
import type { Usual } from '@/db/queries/job-usual';
import { flagLooks, jobFlags } from './job-flags';
import { jobLook, looks, reasonWords } from './job-words';

/** Everything about this job that an admin must not overlook, in plain words. */
export function JobNotices({ job, usual }: { job: JobDetail; usual: Usual | undefined }) {
  const now = useNow();
  const look = jobLook(job);
  const hasFailed = look === 'failed' || look === 'recovered' || look === 'cancelled';
  return (
    <>
      {jobFlags(job, usual, now).map((flag) => (
        <Callout key={flag.name} tone={flagLooks[flag.name].tone} title={flagLooks[flag.name].label}>
          <p>{flag.text}</p>
          {flag.name === 'orphaned' ? (
            <TextLink href={routes.recovery} className="text-inherit decoration-current">
              See what recovery would do
            </TextLink>
          ) : null}
        </Callout>
      ))}
      {hasFailed ? <Ending job={job} tone={looks[look].tone} /> : null}
      {job.lateResultAt === null ? null : <LateResult job={job} at={job.lateResultAt} />}
    </>
  );
}

function Ending({ job, tone }: { job: JobDetail; tone: (typeof looks)['failed']['tone'] }) {
  const title = job.reason === null ? looks[jobLook(job)].meaning : reasonWords(job.reason);
  return (
    <Callout tone={tone} title={title}>
      {job.message === null || job.message === title ? null : <p className="break-words">{job.message}</p>}
      {job.endedBy === null ? null : (
        <p>
          Ended by{' '}
          <TextLink href={routes.recoveryRun(job.endedBy.passId)} className="text-inherit decoration-current">
            recovery pass {job.endedBy.passId}
          </TextLink>{' '}
          ({job.endedBy.trigger === 'cron' ? 'cron' : job.endedBy.actorName}), <Time value={job.endedBy.startedAt} />.
        </p>
      )}
    </Callout>
  );
}

/** Interface B6: a server that was thought dead came back; what it said changed nothing. */
function LateResult({ job, at }: { job: JobDetail; at: string }) {
  const ended = job.finishedAt;
  return (
    <Callout tone="warning" title="A late result was ignored">
      {job.lateResults.length === 0 ? (
        <p>
          Its worker came back <Time value={at} /> and was told that it had lost the cluster.
        </p>
      ) : (
        job.lateResults.map((event) => <p key={event.id}>{event.summary}</p>)
      )}
      <p>
        {ended === null
          ? 'The cluster belongs to somebody else by now.'
          : `It came ${gapText(ended, at)} after the job had ended. `}
        What the worker did to machines before it noticed may still show:{' '}
        {job.clusterId === null ? null : (
          <TextLink href={routes.cluster(job.clusterId)} className="text-inherit decoration-current">
            check the cluster
          </TextLink>
        )}
        .
      </p>
    </Callout>
  );
}

function gapText(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
