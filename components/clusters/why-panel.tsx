'use client';
import { routes } from '@/components/routes';
import { ButtonLink } from '@/components/ui/button';
import type { Tone } from '@/components/ui/class-names';
import { Panel } from '@/components/ui/panel';
import { TextLink } from '@/components/ui/text-link';
import { Countdown, Time } from '@/components/ui/time';
import type { ClusterDetail, OperationChoice } from '@/db/queries/cluster-dto';
import { type OperationKind, operations } from '@/domain/operations';
import { type ClusterState, stateLabels } from '@/domain/states';
import { attentionWords, nextAutomaticAct, verdictWords } from './attention-words';
import { CheckNow } from './check-now';

const tones: Partial<Readonly<Record<ClusterState, Tone>>> = {
  Alert: 'warning',
  Error: 'danger',
  Destroying: 'danger',
};

/** Why it needs attention, what the last check found, what happens next by itself and what helps (interface B16). */
export function WhyPanel({ cluster }: { cluster: ClusterDetail }) {
  const tone = tones[cluster.state];
  if (tone === undefined || cluster.holder !== null) return null;
  return (
    <Panel
      id="why"
      tone={tone}
      title={`Why ${stateLabels[cluster.state]}, and what happens next`}
      actions={
        <CheckNow clusterId={cluster.id} reason={cluster.mayDownload ? undefined : 'Needs the role operator.'} />
      }
    >
      <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
        <div className="flex flex-col gap-4">
          <Cause cluster={cluster} />
          <LastCheck cluster={cluster} />
        </div>
        <div className="flex flex-col gap-4">
          <NextAct cluster={cluster} />
          <WhatHelps cluster={cluster} />
        </div>
      </div>
    </Panel>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="text-sm">
      <h3 className="mb-1 text-xs font-medium text-faint">{title}</h3>
      {children}
    </div>
  );
}

function Cause({ cluster }: { cluster: ClusterDetail }) {
  const { attention } = cluster;
  if (attention === null) return <Part title="What happened">The cause was not recorded.</Part>;
  const words = attentionWords[attention.code];
  return (
    <Part title="What happened">
      <p className="font-medium">{words.title}</p>
      <p>{attention.text}</p>
      <p className="mt-1 text-soft">{words.meaning}</p>
      <p className="mt-1 text-xs text-faint">
        <Time value={attention.at} />
        {attention.jobId === null ? null : (
          <>
            {' · '}
            <TextLink href={routes.job(attention.jobId)}>Open the job</TextLink>
          </>
        )}
      </p>
    </Part>
  );
}

function LastCheck({ cluster }: { cluster: ClusterDetail }) {
  const check = cluster.healthCheck;
  if (check === null) return <Part title="Last check">Not checked since.</Part>;
  return (
    <Part title="Last check">
      <p>
        {verdictWords[check.verdict]}{' '}
        <span className="text-xs text-faint">
          <Time value={check.at} />
          {cluster.checkFailures > 0 ? ` · ${cluster.checkFailures} attempts failed` : ''}
        </span>
      </p>
      {check.missing.length === 0 ? null : (
        <ul className="mt-1 list-disc pl-4">
          {check.missing.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function NextAct({ cluster }: { cluster: ClusterDetail }) {
  const { control, worker, etcd } = cluster.nodes;
  const act = nextAutomaticAct(cluster.state, control.total + worker.total + etcd.total);
  if (act === null) return null;
  return (
    <Part title="Next, by itself">
      <p>
        The next check{' '}
        {cluster.nextCheckAt === null ? (
          'comes with the next pass and '
        ) : (
          <>
            (<Countdown to={cluster.nextCheckAt} due="with the next pass" />){' '}
          </>
        )}
        {act}.
      </p>
    </Part>
  );
}

/** Asked for by hand most often in these states, in this order. */
const remedies: readonly OperationKind[] = ['start', 'stop', 'upgrade', 'delete'];

function WhatHelps({ cluster }: { cluster: ClusterDetail }) {
  const { attention, healthCheck } = cluster;
  const possible = remedies
    .map((kind) => cluster.operations.find((choice) => choice.kind === kind))
    .filter((choice): choice is OperationChoice => choice?.verdict != null);
  return (
    <Part title="What helps">
      {attention === null ? null : <p>{attentionWords[attention.code].todo}</p>}
      {healthCheck === null || healthCheck.advice === '' ? null : <p className="mt-1">{healthCheck.advice}</p>}
      <div className="mt-2 flex flex-wrap gap-2">
        {possible.map((choice) => (
          <ButtonLink key={choice.kind} size="sm" href={routes.operation(cluster.id, choice.kind)}>
            {choice.kind === 'delete' && cluster.state === 'Destroying'
              ? 'Retry the delete'
              : operations[choice.kind].label}
          </ButtonLink>
        ))}
      </div>
    </Part>
  );
}
