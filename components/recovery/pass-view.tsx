'use client';
import { useQuery } from '@tanstack/react-query';
import { RequestFailed } from '@/components/request';
import { routes } from '@/components/routes';
import { CrumbLabel } from '@/components/shell/breadcrumb';
import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { KeyValues } from '@/components/ui/key-values';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { EmptyState, FailedState, Skeleton } from '@/components/ui/states';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import type { PassDetail } from '@/db/queries/recovery';
import { DecisionsTable } from './decisions-table';
import { countsText, passLook } from './pass-look';
import { tookText } from './passes-table';
import { passQuery } from './recovery-queries';

/** One pass, as it was decided; live while it runs. */
export function PassView({ id }: { id: string }) {
  const { data: pass, error, refetch, isFetching } = useQuery(passQuery(id));
  if (pass !== undefined) return <LoadedPass pass={pass} />;
  if (error === null) return <Skeleton lines={8} label="Loading the pass" />;
  if (error instanceof RequestFailed && error.status === 404) {
    return (
      <EmptyState
        title="There is no such pass"
        text="Old passes are removed after a while; what they did stays in the events."
        action={<TextLink href={routes.recovery}>Recovery</TextLink>}
      />
    );
  }
  return (
    <FailedState
      title="The pass could not be read"
      text={error.message}
      onRetry={() => void refetch()}
      isBusy={isFetching}
    />
  );
}

const cloudWords = {
  running: 'still looking at the machines',
  done: 'done',
  skipped: 'left out: an earlier pass is still at it',
  failed: 'failed',
} as const;

function LoadedPass({ pass }: { pass: PassDetail }) {
  const look = passLook(pass);
  const isPreview = pass.mode === 'preview';
  return (
    <div className="flex flex-col gap-4">
      <CrumbLabel segment={String(pass.id)} label={`${isPreview ? 'Preview' : 'Pass'} ${pass.id}`} />
      <PageHeader
        title={`${isPreview ? 'Preview' : 'Pass'} ${pass.id}`}
        badge={
          <Badge tone={look.tone} icon={look.icon} isActive={pass.status === 'running'}>
            {look.label}
          </Badge>
        }
        description={countsText(pass, pass.mode)}
      />
      {pass.error === null ? null : (
        <Callout tone="danger" title={pass.status === 'interrupted' ? 'It was interrupted' : 'It broke off'}>
          <p className="break-words">{pass.error}</p>
        </Callout>
      )}
      {pass.gate === null ? null : (
        <Callout tone="violet" title="Recovery was held back">
          <p>{pass.gate}</p>
        </Callout>
      )}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <Panel
          id="decisions"
          title="Decisions"
          description={isPreview ? 'As it would have decided; nothing was changed.' : 'As it decided then.'}
          flush
        >
          {pass.decisions.length === 0 ? (
            <EmptyState
              title={
                pass.status === 'running'
                  ? 'No decision yet'
                  : pass.lookedAt === 0
                    ? 'No cluster was in an operation'
                    : 'Nothing new to say'
              }
              text={
                pass.lookedAt === 0
                  ? undefined
                  : 'Clusters that were left alone for a reason already on record are not written down again.'
              }
            />
          ) : (
            <DecisionsTable caption="Decisions of this pass" decisions={pass.decisions} />
          )}
        </Panel>
        <Panel id="facts" title="Facts">
          <KeyValues
            items={[
              { label: 'Started', value: <Time value={pass.startedAt} mode="absolute" /> },
              { label: 'By', value: pass.trigger === 'hand' ? pass.actorName : pass.trigger },
              { label: 'Server', value: <TextLink href={routes.server(pass.serverId)}>{pass.serverName}</TextLink> },
              { label: 'Recovery took', value: tookText(pass.ownershipMs) },
              { label: 'In all', value: tookText(pass.tookMs) },
              { label: 'Machines', value: pass.cloud === null ? null : cloudWords[pass.cloud] },
              ...(pass.cloudNote === null ? [] : [{ label: 'Note', value: pass.cloudNote }]),
              { label: 'Looked at', value: pass.lookedAt },
              { label: 'Recovered', value: pass.recovered },
              { label: 'Left alone', value: pass.left },
              { label: 'Moved on first', value: pass.missed },
              { label: 'Servers departed', value: pass.departed },
              { label: 'To Alert', value: pass.alerted },
              { label: 'Jobs started', value: pass.jobsStarted },
              { label: 'Machines swept', value: pass.swept },
              { label: 'Errors', value: pass.errors },
            ]}
          />
        </Panel>
      </div>
    </div>
  );
}
