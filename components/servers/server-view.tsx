'use client';
import { useQuery } from '@tanstack/react-query';
import { Server } from 'lucide-react';
import { RequestFailed } from '@/components/request';
import { routes } from '@/components/routes';
import { CrumbLabel } from '@/components/shell/breadcrumb';
import { Callout } from '@/components/ui/callout';
import { Copyable } from '@/components/ui/copyable';
import { KeyValues } from '@/components/ui/key-values';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { EmptyState, FailedState, Skeleton } from '@/components/ui/states';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import { durationText } from '@/components/ui/time-format';
import type { ServerDetail } from '@/db/queries/server-detail';
import type { Role } from '@/domain/actor';
import { DrainAct } from './drain-act';
import { Heartbeat } from './heartbeat';
import { HeldWorkTable } from './held-work-table';
import { ServerBadge } from './server-badge';
import { serverLook } from './server-look';
import { serverQuery, serversQuery } from './server-queries';
import { ServersTable } from './servers-table';

export function ServerView({ id, role }: { id: string; role: Role }) {
  const { data: server, error, refetch, isFetching } = useQuery(serverQuery(id));
  const { data: list } = useQuery(serversQuery());
  if (server !== undefined) return <LoadedServer server={server} role={role} upCount={list?.up ?? 1} />;
  if (error === null) return <Skeleton lines={8} label="Loading the server" />;
  if (error instanceof RequestFailed && error.status === 404) {
    return (
      <EmptyState
        icon={Server}
        title="There is no such server"
        text="A restart of a server is another one, with another id."
        action={<TextLink href={routes.servers}>All servers</TextLink>}
      />
    );
  }
  return (
    <FailedState
      title="The server could not be read"
      text={error.message}
      onRetry={() => void refetch()}
      isBusy={isFetching}
    />
  );
}

function LoadedServer({ server, role, upCount }: { server: ServerDetail; role: Role; upCount: number }) {
  const look = serverLook(server);
  return (
    <div className="flex flex-col gap-4">
      <CrumbLabel segment={server.id} label={server.name} />
      <PageHeader
        title={server.name}
        badge={<ServerBadge server={server} />}
        description={look.meaning}
        actions={<DrainAct server={server} role={role} upCount={upCount} />}
      />
      {server.state === 'silent' && server.held.length > 0 ? (
        <Callout tone="warning" title="If it does not come back">
          <p>
            {server.leaseLeftSeconds > 0
              ? `Its lease is over in ${durationText(server.leaseLeftSeconds * 1000)}. Then`
              : 'Its lease is over;'}{' '}
            the next recovery pass marks it departed and frees what it holds, as the table says.
          </p>
        </Callout>
      ) : null}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel
            id="held"
            title="What it holds"
            description="And what recovery would do with each if it died now."
            flush
          >
            {server.held.length === 0 ? (
              <EmptyState title="It holds nothing" text="It can be stopped at any time." />
            ) : (
              <HeldWorkTable held={server.held} />
            )}
          </Panel>
          <Boots server={server} role={role} upCount={upCount} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Panel id="facts" title="Facts">
            <KeyValues
              items={[
                { label: 'Heartbeat', value: <Heartbeat server={server} /> },
                {
                  label: 'Run',
                  value: (
                    <Copyable value={server.id} shown={server.id.slice(0, 8)} label="Copy run id" className="-my-1" />
                  ),
                },
                { label: 'Started', value: <Time value={server.startedAt} mode="absolute" /> },
                ...(server.departedAt === null
                  ? []
                  : [{ label: 'Departed', value: <Time value={server.departedAt} mode="absolute" /> }]),
                { label: 'Version', value: <span className="font-mono text-xs">{server.version}</span> },
                {
                  label: 'Protocol',
                  value:
                    server.protocol < 2 ? `${server.protocol} (older: its jobs record no cluster)` : server.protocol,
                },
                {
                  label: 'Address',
                  value: server.url === null ? null : <span className="font-mono text-xs break-all">{server.url}</span>,
                },
                { label: 'Process', value: server.pid },
                {
                  label: 'Last pass',
                  value:
                    server.lastPass === null ? null : (
                      <TextLink href={routes.recoveryRun(server.lastPass.id)}>
                        pass {server.lastPass.id}, {durationText(server.lastPass.ageSeconds * 1000, true)} ago
                      </TextLink>
                    ),
                },
                {
                  label: 'Its jobs',
                  value: <TextLink href={routes.jobsOf({ server: server.id })}>all jobs of this run</TextLink>,
                },
              ]}
            />
          </Panel>
          <Life server={server} />
        </div>
      </div>
    </div>
  );
}

function Boots({ server, role, upCount }: { server: ServerDetail; role: Role; upCount: number }) {
  if (server.boots.length === 0) return null;
  return (
    <Panel id="boots" title={`Other runs of ${server.name}`} description="Each restart is another one." flush>
      <ServersTable caption={`Other runs of ${server.name}`} servers={server.boots} role={role} upCount={upCount} />
    </Panel>
  );
}

function Life({ server }: { server: ServerDetail }) {
  return (
    <Panel
      id="events"
      title="Events"
      actions={
        <TextLink href={routes.eventsOf({ server: server.id })} className="text-xs">
          All
        </TextLink>
      }
    >
      {server.events.length === 0 ? <p className="text-sm text-faint">Nothing of its own yet.</p> : null}
      <ol className="flex flex-col gap-2 text-sm">
        {server.events.map((event) => (
          <li key={event.id}>
            <p className="break-words">{event.summary}</p>
            <Time value={event.at} className="text-xs text-faint" />
          </li>
        ))}
      </ol>
    </Panel>
  );
}
