'use client';
import { ListTree } from 'lucide-react';
import { routes } from '@/components/routes';
import { Mark } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/class-names';
import { EmptyState } from '@/components/ui/states';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import type { EventLine } from '@/db/queries/cluster-dto';
import type { EventResult } from '@/domain/events';

const marks: Readonly<Record<EventResult, Tone>> = {
  ok: 'neutral',
  refused: 'warning',
  failed: 'danger',
  ignored: 'violet',
};

/** A cluster's events, the latest first: what, by whom, when. */
export function EventLines({ events }: { events: readonly EventLine[] }) {
  if (events.length === 0) return <EmptyState icon={ListTree} title="No events yet" />;
  return (
    <ol className="flex flex-col gap-2.5">
      {events.map((event) => (
        <li key={event.id} className="flex gap-2.5 text-sm">
          <Mark tone={marks[event.result]} className="mt-1.5" />
          <div className="min-w-0">
            <p className="break-words">{event.summary}</p>
            <p className="text-xs text-faint">
              {event.result === 'ok' ? '' : `${event.result} · `}
              {event.actorName} · <Time value={event.at} />
              {event.jobId === null ? null : (
                <>
                  {' · '}
                  <TextLink href={routes.job(event.jobId)}>job</TextLink>
                </>
              )}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}
