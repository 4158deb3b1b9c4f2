'use client';
import { useState } from 'react';
import { classNames, type Tone, toneClass } from '@/components/ui/class-names';
import { durationText } from '@/components/ui/time-format';
import { useNow } from '@/components/ui/use-now';
import type { ServerRow } from '@/db/queries/servers';

/**
 * Age of the last beat, ticking, with a bar that fills towards the end of the lease. Ages come from PostgreSQL's clock; between two
 * answers the page's own clock carries them on.
 */
export function Heartbeat({ server }: { server: ServerRow }) {
  const now = useNow();
  const [read, setRead] = useState<{ of: ServerRow; atMs: number | null }>({ of: server, atMs: null });
  // Remembers when this answer came, to count on from there.
  if (read.of !== server || (read.atMs === null && now !== null)) setRead({ of: server, atMs: now });
  if (server.state === 'departed') return <span className="text-faint">–</span>;
  const sinceRead = now === null || read.atMs === null ? 0 : (now - read.atMs) / 1000;
  const age = server.beatAgeSeconds + sinceRead;
  const left = server.leaseLeftSeconds - sinceRead;
  const share = Math.min(1, Math.max(0, age / (server.beatAgeSeconds + Math.max(server.leaseLeftSeconds, 0.001))));
  const tone: Tone = left <= 0 ? 'danger' : server.state === 'silent' ? 'warning' : 'success';
  const words = left <= 0 ? 'lease over' : `lease ends in ${durationText(left * 1000)}`;
  return (
    <span
      className={classNames('block w-28', toneClass[tone])}
      title={`Last beat ${durationText(age * 1000)} ago, ${words}`}
    >
      <span className="flex justify-between gap-2 text-xs whitespace-nowrap tabular-nums">
        <span className={classNames(tone !== 'success' && 'font-medium text-(--tone-fg)')}>
          {durationText(age * 1000)}
        </span>
        <span className="text-faint">{left <= 0 ? 'over' : `${durationText(left * 1000, true)} left`}</span>
      </span>
      <span aria-hidden className="mt-1 block h-1 overflow-hidden rounded-full bg-line">
        <span
          className="block h-full rounded-full bg-(--tone-mark) transition-[width] duration-500 motion-reduce:transition-none"
          style={{ width: `${left <= 0 ? 100 : share * 100}%` }}
        />
      </span>
    </span>
  );
}
