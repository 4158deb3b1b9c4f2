'use client';
import { ListFilter } from 'lucide-react';
import { routes } from '@/components/routes';
import { IconButton } from '@/components/ui/button';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import type { EventRow } from '@/db/queries/events';
import { ActorName, ResultBadge } from './event-badges';
import { typeLabel } from './event-words';

export function EventsTable({
  rows,
  onOpen,
  onOperation,
}: {
  rows: readonly EventRow[];
  onOpen: (id: number) => void;
  onOperation: (jobId: string) => void;
}) {
  return (
    <Table caption="Events, newest first">
      <TableHead>
        <HeadCell className="w-28">Time</HeadCell>
        <HeadCell className="w-24">Result</HeadCell>
        <HeadCell>What happened</HeadCell>
        <HeadCell>Cluster</HeadCell>
        <HeadCell>Actor</HeadCell>
        <HeadCell>Server</HeadCell>
        <HeadCell>Operation</HeadCell>
      </TableHead>
      <TableBody>
        {rows.map((event) => (
          <TableRow key={event.id}>
            <Cell className="whitespace-nowrap text-faint tabular-nums">
              <Time value={event.at} mode="absolute" />
            </Cell>
            <Cell>
              <ResultBadge result={event.result} />
            </Cell>
            <RowHeadCell className="max-w-xl min-w-64">
              <div className="min-w-0">
                <button type="button" onClick={() => onOpen(event.id)} className="min-h-6 text-left hover:underline">
                  <span className="line-clamp-2">{event.summary}</span>
                </button>
                <span className="block text-xs text-faint">{typeLabel(event.type)}</span>
              </div>
            </RowHeadCell>
            <Cell label="Cluster" onPhone={event.clusterName === null ? 'hidden' : 'shown'}>
              {event.clusterId === null ? (
                (event.clusterName ?? <Dash />)
              ) : (
                <TextLink href={routes.cluster(event.clusterId)} className="text-ink decoration-line-strong">
                  {event.clusterName ?? event.clusterId.slice(0, 8)}
                </TextLink>
              )}
            </Cell>
            <Cell label="Actor">
              <ActorName kind={event.actorKind} name={event.actorName} />
            </Cell>
            <Cell label="Server" onPhone={event.serverId === null ? 'hidden' : 'shown'} className="whitespace-nowrap">
              {event.serverId === null ? (
                <Dash />
              ) : (
                <TextLink href={routes.server(event.serverId)} className="text-ink decoration-line-strong">
                  {event.serverName ?? event.serverId.slice(0, 8)}
                </TextLink>
              )}
            </Cell>
            <Cell label="Operation" onPhone={event.jobId === null ? 'hidden' : 'shown'} className="whitespace-nowrap">
              {event.jobId === null ? <Dash /> : <Operation jobId={event.jobId} onOperation={onOperation} />}
            </Cell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Operation({ jobId, onOperation }: { jobId: string; onOperation: (jobId: string) => void }) {
  return (
    <span className="-my-1 flex items-center gap-1">
      <TextLink href={routes.job(jobId)} className="font-mono text-xs leading-6">
        {jobId.slice(0, 8)}
      </TextLink>
      <IconButton
        size="icon-sm"
        label={`Show all of operation ${jobId.slice(0, 8)}`}
        icon={<ListFilter aria-hidden className="size-3.5" />}
        onClick={() => onOperation(jobId)}
      />
    </span>
  );
}

function Dash() {
  return <span className="text-faint">–</span>;
}
