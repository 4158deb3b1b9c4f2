'use client';
import { useQuery } from '@tanstack/react-query';
import { JsonFold } from '@/components/jobs/json-fold';
import { routes } from '@/components/routes';
import { Dialog } from '@/components/ui/dialog';
import { KeyValues } from '@/components/ui/key-values';
import { FailedState, Skeleton } from '@/components/ui/states';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import type { EventRow } from '@/db/queries/events';
import { operations } from '@/domain/operations';
import { ActorName, ResultBadge } from './event-badges';
import { eventQuery, eventsQuery } from './event-queries';
import { typeLabel } from './event-words';
import { receiptOf } from './receipt-of';
import { RefusalReceipt } from './refusal-receipt';

/** One event in full: the receipt where it is a refusal, what else belongs to its operation, and the stored JSON. */
export function EventDialog({ id, onClose }: { id: number | null; onClose: () => void }) {
  const { data, error, refetch } = useQuery({ ...eventQuery(id ?? 0), enabled: id !== null });
  return (
    <Dialog
      title={data === undefined ? 'Event' : typeLabel(data.type)}
      size="lg"
      open={id !== null}
      onOpenChange={(open) => !open && onClose()}
    >
      {data !== undefined ? (
        <EventBody event={data} />
      ) : error === null ? (
        <Skeleton lines={5} label="Loading the event" />
      ) : (
        <FailedState title="The event could not be read" text={error.message} onRetry={() => void refetch()} />
      )}
    </Dialog>
  );
}

function EventBody({ event }: { event: EventRow }) {
  const receipt = receiptOf(event.detail);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-2">
        <ResultBadge result={event.result} />
        <p className="min-w-0 flex-1 basis-64 break-words">
          {receipt?.kind === undefined
            ? event.summary
            : `${operations[receipt.kind].label} of ${event.clusterName ?? 'a cluster'}, asked by ${event.actorName}`}
        </p>
      </div>
      {receipt === null ? null : <RefusalReceipt receipt={receipt} />}
      <KeyValues
        items={[
          { label: 'When', value: <Time value={event.at} mode="absolute" /> },
          { label: 'Who', value: <ActorName kind={event.actorKind} name={event.actorName} /> },
          {
            label: 'Cluster',
            value:
              event.clusterId === null ? (
                event.clusterName
              ) : (
                <TextLink href={routes.cluster(event.clusterId)}>{event.clusterName ?? event.clusterId}</TextLink>
              ),
          },
          {
            label: 'Job',
            value:
              event.jobId === null ? null : (
                <TextLink href={routes.job(event.jobId)}>{event.jobId.slice(0, 8)}</TextLink>
              ),
          },
          {
            label: 'Server',
            value:
              event.serverId === null ? null : (
                <TextLink href={routes.server(event.serverId)}>
                  {event.serverName ?? event.serverId.slice(0, 8)}
                </TextLink>
              ),
          },
          { label: 'Type', value: <code className="font-mono text-xs">{event.type}</code> },
        ]}
      />
      {event.jobId === null ? null : <SameOperation jobId={event.jobId} present={event.id} />}
      <JsonFold title="As stored" value={event} />
    </div>
  );
}

/** Everything that carries the same job's id, in the order it happened. */
function SameOperation({ jobId, present }: { jobId: string; present: number }) {
  const { data } = useQuery(eventsQuery({ job: jobId }));
  if (data === undefined || data.rows.length < 2) return null;
  return (
    <section aria-label="The whole operation" className="rounded-lg border border-line">
      <header className="flex items-center justify-between border-b border-line px-4 py-2">
        <h3 className="text-sm font-semibold">The whole operation</h3>
        <TextLink href={routes.eventsOf({ job: jobId })} className="text-xs">
          Show in the list
        </TextLink>
      </header>
      <ol className="max-h-60 overflow-y-auto py-1 text-sm">
        {[...data.rows].reverse().map((row) => (
          <li
            key={row.id}
            aria-current={row.id === present ? 'true' : undefined}
            className="flex gap-3 px-4 py-1 aria-current:bg-subtle aria-current:font-medium"
          >
            <Time value={row.at} mode="absolute" className="shrink-0 text-xs leading-5 whitespace-nowrap text-faint" />
            <span className="min-w-0 break-words">{row.summary}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
