'use client';
import { HeartPulse } from 'lucide-react';
import { routes } from '@/components/routes';
import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/class-names';
import { Flash } from '@/components/ui/flash';
import { type KeyValue, KeyValues } from '@/components/ui/key-values';
import { Panel } from '@/components/ui/panel';
import { ProgressSteps } from '@/components/ui/progress-steps';
import { TextLink } from '@/components/ui/text-link';
import { Countdown, Elapsed, Time } from '@/components/ui/time';
import { durationText } from '@/components/ui/time-format';
import type { ClusterDetail, HolderView } from '@/db/queries/cluster-dto';
import { operations } from '@/domain/operations';
import { stateLabels } from '@/domain/states';
import { nextState } from '@/domain/transitions';
import { HolderFlag, stepText } from './holder-line';
import { WithdrawStop } from './withdraw-stop';

/** Who holds the cluster, how far they are, and what will let go of it (interface B2). */
export function HeldPanel({ cluster }: { cluster: ClusterDetail }) {
  const { holder } = cluster;
  if (holder === null) return cluster.isOrphaned ? <OrphanPanel cluster={cluster} /> : null;
  const label = operations[holder.kind].label;
  const tone: Tone = cluster.isOrphaned || holder.serverHealth === 'silent' ? 'warning' : 'info';
  return (
    <Panel
      id="held-by"
      tone={tone}
      title={`Held by ${label.toLowerCase()}`}
      actions={<HolderFlag holder={holder} isOrphaned={cluster.isOrphaned} />}
    >
      <div className="flex flex-col gap-4">
        <Progress holder={holder} isOrphaned={cluster.isOrphaned} />
        <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
          <KeyValues items={holderFacts(cluster, holder)} />
          <LetGo cluster={cluster} holder={holder} />
        </div>
        {cluster.waitingStopId === null ? null : <WithdrawStop clusterId={cluster.id} jobId={cluster.waitingStopId} />}
      </div>
    </Panel>
  );
}

function Progress({ holder, isOrphaned }: { holder: HolderView; isOrphaned: boolean }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{holder.currentStep ?? 'Begins'}</span>
        <Flash value={holder.stepsDone} className="text-sm text-faint">
          {stepText(holder)}
        </Flash>
      </p>
      <ProgressSteps
        done={holder.stepsDone}
        total={holder.stepsTotal}
        label="Steps done"
        tone={isOrphaned ? 'warning' : 'info'}
        className="h-1.5"
      />
    </div>
  );
}

function holderFacts(cluster: ClusterDetail, holder: HolderView): KeyValue[] {
  return [
    { label: 'Operation', value: <TextLink href={routes.job(holder.jobId)}>{operations[holder.kind].label}</TextLink> },
    { label: 'Asked by', value: holder.actorName },
    { label: 'Runs on', value: <ServerLine holder={holder} /> },
    {
      label: 'Since',
      value: (
        <>
          <Time value={holder.since} mode="absolute" /> (<Elapsed since={holder.since} />)
        </>
      ),
    },
    ...(cluster.usualMs === null ? [] : [{ label: 'Usually takes', value: durationText(cluster.usualMs) }]),
    ...(holder.deadlineAt === null
      ? []
      : [{ label: 'Must end', value: <Countdown to={holder.deadlineAt} due="its time is over" /> }]),
    ...(holder.note === null ? [] : [{ label: 'Reason given', value: `“${holder.note}”` }]),
  ];
}

function ServerLine({ holder }: { holder: HolderView }) {
  if (holder.serverId === null) return <>no server</>;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <TextLink href={routes.server(holder.serverId)}>{holder.serverName}</TextLink>
      {holder.lastBeatAt === null ? null : (
        <span className="inline-flex items-center gap-1 text-xs text-faint">
          <HeartPulse aria-hidden className="size-3" />
          heartbeat <Elapsed since={holder.lastBeatAt} /> ago
        </span>
      )}
      {holder.serverHealth === 'dead' ? <Badge tone="danger">gone</Badge> : null}
    </span>
  );
}

/** The three ways out: done, failed, its server dies. */
function LetGo({ cluster, holder }: { cluster: ClusterDetail; holder: HolderView }) {
  const done = nextState(cluster.state, 'OperationSucceeded');
  const lost = cluster.recoveredTo === null ? 'keeps its state' : `becomes ${stateLabels[cluster.recoveredTo]}`;
  const { leaseMs, cronPeriodMs } = cluster.timing;
  const period = durationText(cronPeriodMs);
  return (
    <div>
      <h3 className="mb-1.5 text-xs font-medium text-faint">What lets go of it</h3>
      {cluster.isOrphaned ? (
        <p className="text-sm">
          {holder.ended ? 'Its job has ended without releasing it.' : 'Its server is gone.'} The next recovery pass
          (every {period}) frees it: it {lost}. <TextLink href={routes.recovery}>See Recovery</TextLink>
        </p>
      ) : (
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-sm">
          <dt className="text-faint">It is done</dt>
          <dd>{done === undefined ? 'its state stays as it is' : `becomes ${stateLabels[done]}`}</dd>
          <dt className="text-faint">A step fails</dt>
          <dd>
            {holder.kind === 'create' ? 'becomes Error while it is built, Alert afterwards' : `${lost}, with the cause`}
          </dd>
          <dt className="text-faint">Its server dies</dt>
          <dd>
            {lost} after {durationText(leaseMs)} without a beat and the next pass (every {period})
          </dd>
        </dl>
      )}
    </div>
  );
}

/** In an operation's state, and nobody owns it: an unknown writer left it there. */
function OrphanPanel({ cluster }: { cluster: ClusterDetail }) {
  const to = cluster.recoveredTo === null ? '' : ` and makes it ${stateLabels[cluster.recoveredTo]}`;
  return (
    <Panel id="held-by" tone="warning" title="Held by nobody" actions={<HolderFlag holder={null} isOrphaned />}>
      <p className="text-sm">
        It is {stateLabels[cluster.state]}, but no operation works on it. The next recovery pass (every{' '}
        {durationText(cluster.timing.cronPeriodMs)}) frees it{to}.{' '}
        <TextLink href={routes.recovery}>See Recovery</TextLink>
      </p>
    </Panel>
  );
}
