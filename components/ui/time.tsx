'use client';
import { absoluteText, durationText, relativeText } from './time-format';
import { useTimeZone } from './time-zone';
import { useNow } from './use-now';

/**
 * A point in time. Relative after the page has come alive, absolute before, so server and browser agree; the other form is its
 * title. `absolute` keeps the clock time.
 */
export function Time({
  value,
  mode = 'relative',
  className,
}: {
  value: string;
  mode?: 'relative' | 'absolute';
  className?: string;
}) {
  const now = useNow();
  const zone = useTimeZone();
  const absolute = absoluteText(value, zone, mode === 'absolute' ? now : null);
  const relative = now === null ? null : relativeText(value, now);
  const text = mode === 'relative' && relative !== null ? relative : absolute;
  return (
    <time dateTime={value} title={text === absolute ? (relative ?? value) : absolute} className={className}>
      {text}
    </time>
  );
}

/** How long something has been going on, ticking; with `until` it stands still. */
export function Elapsed({
  since,
  until,
  className,
}: {
  since: string;
  until?: string | null | undefined;
  className?: string;
}) {
  const now = useNow();
  const zone = useTimeZone();
  const end = until == null ? now : Date.parse(until);
  const text = end === null ? '–' : durationText(end - Date.parse(since));
  return (
    <time dateTime={since} title={`since ${absoluteText(since, zone)}`} className={className}>
      {text}
    </time>
  );
}

/** "in 12 s", then `due` once it has passed. */
export function Countdown({ to, due = 'now', className }: { to: string; due?: string; className?: string }) {
  const now = useNow();
  const zone = useTimeZone();
  const left = now === null ? null : Date.parse(to) - now;
  const absolute = absoluteText(to, zone);
  const text = left === null ? absolute : left <= 0 ? due : `in ${durationText(left)}`;
  return (
    <time dateTime={to} title={absolute} className={className}>
      {text}
    </time>
  );
}
