'use client';
import { StateBadge } from '@/components/lifecycle/state-badge';
import { routes } from '@/components/routes';
import { KeyValues } from '@/components/ui/key-values';
import { Panel } from '@/components/ui/panel';
import { TextLink } from '@/components/ui/text-link';
import { Countdown, Elapsed, Time } from '@/components/ui/time';
import { durationText } from '@/components/ui/time-format';
import type { JobDetail } from '@/db/queries/job';
import type { Usual } from '@/db/queries/job-usual';
import { shortId } from './job-words';

/** Times, server and cluster of a job. */
export function JobFacts({ job, usual }: { job: JobDetail; usual: Usual | undefined }) {
  const isOpen = job.finishedAt === null;
  const waitedMs = job.startedAt === null ? null : Date.parse(job.startedAt) - Date.parse(job.acceptedAt);
  const items = [
    { label: 'Accepted', value: <Time value={job.acceptedAt} mode="absolute" /> },
    ...(waitedMs !== null && waitedMs < 1000
      ? []
      : [
          {
            label: 'Waited',
            value:
              waitedMs === null ? <Elapsed since={job.acceptedAt} until={job.finishedAt} /> : durationText(waitedMs),
          },
        ]),
    {
      label: isOpen ? 'Running for' : 'Ran',
      value: job.startedAt === null ? null : <Elapsed since={job.startedAt} until={job.finishedAt} />,
    },
    {
      label: 'Usual',
      value:
        usual === undefined ? (
          <span className="text-faint">not known yet</span>
        ) : (
          <span title={`of ${usual.runs} runs`}>
            {durationText(usual.p50Ms)}, rarely more than {durationText(usual.p95Ms)}
          </span>
        ),
    },
    ...(isOpen
      ? []
      : [{ label: 'Ended', value: job.finishedAt === null ? null : <Time value={job.finishedAt} mode="absolute" /> }]),
    ...(isOpen && job.deadlineAt !== null
      ? [{ label: 'Times out', value: <Countdown to={job.deadlineAt} due="overdue" /> }]
      : []),
    { label: 'Server', value: <ServerFact job={job} /> },
    { label: 'Cluster', value: <ClusterFact job={job} /> },
    { label: 'Token', value: job.token === null ? null : <span className="font-mono text-xs">{job.token}</span> },
    {
      label: 'If it is lost',
      value:
        job.failureEvent === null ? 'the state stays' : <span className="font-mono text-xs">{job.failureEvent}</span>,
    },
    ...(job.note === null ? [] : [{ label: 'Reason given', value: job.note }]),
    ...(job.legacyParameters === null
      ? []
      : [{ label: 'Parameters', value: <code className="font-mono text-xs break-all">{job.legacyParameters}</code> }]),
  ];
  return (
    <Panel id="facts" title="Facts">
      <KeyValues items={items} />
    </Panel>
  );
}

function ServerFact({ job }: { job: JobDetail }) {
  if (job.server === null) return <span className="text-faint">none</span>;
  const { server } = job;
  const isAlive = server.state !== 'departed';
  return (
    <>
      <TextLink href={routes.server(server.id)}>{server.name}</TextLink>
      <span className="block text-xs text-faint">
        run <span className="font-mono">{shortId(server.id)}</span>,{' '}
        {isAlive ? (
          <>
            beat <Elapsed since={server.lastBeatAt} /> ago
          </>
        ) : (
          <>
            departed, last beat <Time value={server.lastBeatAt} />
          </>
        )}
      </span>
    </>
  );
}

function ClusterFact({ job }: { job: JobDetail }) {
  const { cluster } = job;
  if (cluster === null) return <span className="text-faint">none recorded</span>;
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <TextLink href={routes.cluster(cluster.id)}>{cluster.name}</TextLink>
      <span className="text-xs text-faint">now</span> <StateBadge state={cluster.state} isQuiet />
      {job.finishedAt === null && cluster.ownerId === job.id ? (
        <span className="block w-full text-xs text-faint">held by this job</span>
      ) : null}
    </span>
  );
}
