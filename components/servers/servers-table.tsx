'use client';
import { routes } from '@/components/routes';
import { Badge } from '@/components/ui/badge';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import { durationText } from '@/components/ui/time-format';
import type { ServerRow } from '@/db/queries/servers';
import type { Role } from '@/domain/actor';
import { DrainAct } from './drain-act';
import { Heartbeat } from './heartbeat';
import { ServerBadge } from './server-badge';

export function ServersTable({
  caption,
  servers,
  role,
  upCount,
}: {
  caption: string;
  servers: readonly ServerRow[];
  role: Role;
  upCount: number;
}) {
  const areDeparted = servers.every((server) => server.state === 'departed');
  return (
    <Table caption={caption}>
      <TableHead>
        <HeadCell>Name</HeadCell>
        <HeadCell>State</HeadCell>
        <HeadCell>{areDeparted ? 'Departed' : 'Heartbeat'}</HeadCell>
        <HeadCell>Version</HeadCell>
        <HeadCell>Run, started</HeadCell>
        <HeadCell align="right">Jobs</HeadCell>
        <HeadCell align="right">Clusters</HeadCell>
        <HeadCell>Last pass</HeadCell>
        {areDeparted ? null : (
          <HeadCell align="right">
            <span className="sr-only">Act</span>
          </HeadCell>
        )}
      </TableHead>
      <TableBody>
        {servers.map((server) => (
          <TableRow key={server.id}>
            <RowHeadCell>
              <span className="flex flex-wrap items-center gap-1.5">
                <TextLink
                  href={routes.server(server.id)}
                  className="font-medium text-ink decoration-line-strong max-sm:text-base"
                >
                  {server.name}
                </TextLink>
                {server.isThisOne ? (
                  <span className="text-xs text-faint" title="This page was answered by it.">
                    this one
                  </span>
                ) : null}
              </span>
            </RowHeadCell>
            <Cell>
              <ServerBadge server={server} />
            </Cell>
            <Cell label={areDeparted ? 'Departed' : 'Heartbeat'}>
              {server.departedAt === null ? <Heartbeat server={server} /> : <Time value={server.departedAt} />}
            </Cell>
            <Cell label="Version">
              <span className="font-mono text-xs">{server.version}</span>
              {server.protocol < 2 ? (
                <Badge tone="warning" className="ml-1.5">
                  older protocol
                </Badge>
              ) : null}
            </Cell>
            <Cell label="Run">
              <span className="font-mono text-xs" title={server.id}>
                {server.id.slice(0, 8)}
              </span>
              <span className="block text-xs whitespace-nowrap text-faint">
                <Time value={server.startedAt} />
              </span>
            </Cell>
            <HeldCount label="Jobs" count={server.jobsHeld} />
            <HeldCount label="Clusters" count={server.clustersHeld} />
            <Cell
              label="Last pass"
              className="whitespace-nowrap"
              onPhone={server.lastPass === null ? 'hidden' : 'shown'}
            >
              <LastPass server={server} />
            </Cell>
            {areDeparted ? null : (
              <Cell align="right">
                <DrainAct server={server} role={role} upCount={upCount} size="sm" />
              </Cell>
            )}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function HeldCount({ label, count }: { label: string; count: number }) {
  return (
    <Cell label={label} align="right" className="tabular-nums" onPhone={count === 0 ? 'hidden' : 'shown'}>
      {count === 0 ? <span className="text-faint">0</span> : <span className="font-medium">{count}</span>}
    </Cell>
  );
}

function LastPass({ server }: { server: ServerRow }) {
  if (server.lastPass === null) return <span className="text-faint">none</span>;
  return (
    <TextLink href={routes.recoveryRun(server.lastPass.id)} className="text-ink decoration-line-strong">
      {durationText(server.lastPass.ageSeconds * 1000, true)} ago
    </TextLink>
  );
}
