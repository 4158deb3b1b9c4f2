'use client';
import { useQuery } from '@tanstack/react-query';
import { Server } from 'lucide-react';
import { RequestFailed } from '@/components/request';
import { routes } from '@/components/routes';
import { Callout } from '@/components/ui/callout';
import { PageHeader } from '@/components/ui/page-header';
import { EmptyState, FailedState, Skeleton } from '@/components/ui/states';
import { TextLink } from '@/components/ui/text-link';
import type { ServerList } from '@/db/queries/servers';
import type { Role } from '@/domain/actor';
import { serversQuery } from './server-queries';
import { ServersTable } from './servers-table';

export function ServersView({ role }: { role: Role }) {
  const { data, error, refetch, isFetching } = useQuery(serversQuery());
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Servers" description="Each boot of an app server. A restart is another one." />
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={6} label="Loading the servers" />
        ) : (
          <FailedState
            title="The servers could not be read"
            text={error.message}
            reference={error instanceof RequestFailed ? error.reference : undefined}
            onRetry={() => void refetch()}
            isBusy={isFetching}
          />
        )
      ) : (
        <Loaded list={data} role={role} />
      )}
    </div>
  );
}

function Loaded({ list, role }: { list: ServerList; role: Role }) {
  const alive = list.servers.filter((server) => server.state !== 'departed');
  const departed = list.servers.filter((server) => server.state === 'departed');
  return (
    <>
      <Banners list={list} aliveCount={alive.length} />
      <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-panel">
        {alive.length === 0 ? (
          <EmptyState icon={Server} title="No server is up" text="This page was answered by one that is going away." />
        ) : (
          <ServersTable caption="Servers that have not departed" servers={alive} role={role} upCount={list.up} />
        )}
      </div>
      {departed.length === 0 ? null : (
        <details className="group/departed rounded-lg border border-line bg-surface shadow-panel">
          <summary className="flex min-h-11 cursor-pointer items-center gap-2 rounded-lg px-4 text-sm font-semibold">
            Departed in the last day <span className="font-normal text-faint tabular-nums">{departed.length}</span>
          </summary>
          <div className="border-t border-line">
            <ServersTable
              caption="Servers that departed in the last day"
              servers={departed}
              role={role}
              upCount={list.up}
            />
          </div>
        </details>
      )}
    </>
  );
}

/** What the fleet of servers as a whole should be told about. */
function Banners({ list, aliveCount }: { list: ServerList; aliveCount: number }) {
  const draining = list.servers.filter((server) => server.state === 'draining').length;
  const oldServers = list.servers.filter((server) => server.state !== 'departed' && server.protocol < 2);
  return (
    <>
      {list.up > 0 ? null : (
        <Callout tone="danger" title="No server is up">
          <p>{draining > 0 ? 'All that are left are draining. ' : ''}New operations are refused until one is.</p>
        </Callout>
      )}
      {list.up !== 1 ? null : (
        <Callout tone="warning" title="Only one server is up">
          <p>
            If it dies, nobody goes on with its work until it is back: clusters stay held until a pass runs, and a pass
            needs a server.
          </p>
        </Callout>
      )}
      {!list.isMixed || aliveCount < 2 ? null : (
        <Callout tone="violet" title="Servers of several versions are running">
          <p>
            {oldServers.length === 0 ? (
              'Fine while an upgrade of Holdfast is rolled out; finish it soon.'
            ) : (
              <>
                {oldServers.map((server) => server.name).join(', ')} {oldServers.length === 1 ? 'is' : 'are'} of an
                older protocol, whose jobs can hold back recovery.{' '}
                <TextLink href={routes.recovery} className="text-inherit decoration-current">
                  See what recovery does about it
                </TextLink>
              </>
            )}
          </p>
        </Callout>
      )}
    </>
  );
}
