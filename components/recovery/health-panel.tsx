'use client';
import { HeartPulse, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { routes } from '@/components/routes';
import { Callout } from '@/components/ui/callout';
import { classNames, toneClass } from '@/components/ui/class-names';
import { TextLink } from '@/components/ui/text-link';
import { Countdown, Time } from '@/components/ui/time';
import { absoluteText, durationText } from '@/components/ui/time-format';
import { useTimeZone } from '@/components/ui/time-zone';
import type { PassRow } from '@/db/queries/recovery';
import type { RecoveryHealth } from '@/db/queries/recovery-health';
import { countsText, passLook } from './pass-look';

/** Whether the recoverer itself is alive (interface B12): last and next pass, its settings, and a square for each of the last fifty. */
export function HealthPanel({ health, strip }: { health: RecoveryHealth; strip: readonly PassRow[] }) {
  const { lastPass } = health;
  const Icon = health.isLate ? TriangleAlert : HeartPulse;
  return (
    <section
      aria-label="Health of the recovery"
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface px-4 py-3 shadow-panel"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className={classNames('flex items-center gap-2 text-sm', toneClass[health.isLate ? 'danger' : 'success'])}>
          <Icon aria-hidden className="size-4 shrink-0 text-(--tone-mark)" />
          <span className="font-medium">
            {lastPass === null
              ? 'No pass has ever run'
              : health.isLate
                ? 'No pass comes by itself'
                : 'Recovery is on time'}
          </span>
        </p>
        <p className="text-sm text-soft">
          {lastPass === null ? null : (
            <>
              Last pass <Time value={lastPass.startedAt} className="font-medium text-ink" />, by{' '}
              {lastPass.trigger === 'hand' ? lastPass.actorName : lastPass.trigger} on {lastPass.serverName} ·{' '}
            </>
          )}
          {lastPass === null || health.isLate ? null : (
            <>
              next <Countdown to={nextOf(lastPass, health.periodMs)} due="due now" className="font-medium text-ink" /> ·{' '}
            </>
          )}
          every {durationText(health.periodMs)}
        </p>
      </div>
      {health.isLate ? (
        <Callout tone="danger" title="Clusters of a server that dies stay held until somebody runs a pass">
          <p>{health.lateReason}</p>
        </Callout>
      ) : null}
      {strip.length === 0 ? null : <Strip strip={strip} periodMs={health.periodMs} />}
    </section>
  );
}

function nextOf(lastPass: PassRow, periodMs: number): string {
  return new Date(Date.parse(lastPass.startedAt) + periodMs).toISOString();
}

/** A silence longer than this many periods is drawn as a gap. */
const gapPeriods = 3;

/** Oldest at the left. Every square is a link with its words; letters and colours say the same. */
function Strip({ strip, periodMs }: { strip: readonly PassRow[]; periodMs: number }) {
  const zone = useTimeZone();
  const oldestFirst = [...strip].reverse();
  return (
    <div>
      <ol aria-label="The last passes, oldest first" className="grid grid-cols-10 gap-0.5 sm:grid-cols-25">
        {oldestFirst.map((pass, index) => {
          const look = passLook(pass);
          const before = oldestFirst[index - 1];
          const gapMs = before === undefined ? 0 : Date.parse(pass.startedAt) - Date.parse(before.startedAt);
          const gap = gapMs > periodMs * gapPeriods;
          const words = `Pass ${pass.id}, ${absoluteText(pass.startedAt, zone)}: ${countsText(pass)}`;
          return (
            <li key={pass.id} className={classNames(gap && 'border-l-2 border-danger-mark pl-0.5')}>
              {gap ? <span className="sr-only">No pass for {durationText(gapMs)} before it. </span> : null}
              <Link
                href={routes.recoveryRun(pass.id)}
                prefetch={false}
                title={gap ? `${words}. No pass for ${durationText(gapMs)} before it.` : words}
                aria-label={words}
                className={classNames(
                  'flex h-6 items-center justify-center rounded-xs bg-(--tone-bg) text-2xs font-semibold text-(--tone-fg) outline-offset-1 hover:ring-1 hover:ring-(--tone-mark)',
                  toneClass[look.tone],
                )}
              >
                {look.letter}
              </Link>
            </li>
          );
        })}
      </ol>
      <p aria-hidden className="mt-1.5 text-xs text-faint">
        · nothing to do &nbsp; R recovered &nbsp; A acted otherwise &nbsp; M moved on first &nbsp; G held back &nbsp; E
        error &nbsp; I interrupted &nbsp; red line: no pass came
      </p>
    </div>
  );
}

/** The settings that recovery rests on, with where they come from. */
export function RecoveryRules({ health }: { health: RecoveryHealth }) {
  const rules = [
    {
      name: 'A server counts as departed',
      value: `${durationText(health.deadAfterMs)} after its last beat`,
      from: 'HOLDFAST_LEASE_MS',
    },
    { name: 'A pass runs', value: `every ${durationText(health.periodMs)}`, from: 'HOLDFAST_CRON_PERIOD_MS' },
    {
      name: 'So a lost cluster is free again',
      value: `within ${durationText(health.deadAfterMs + health.periodMs)}`,
      from: null,
    },
  ];
  const isSlow = health.periodMs > health.deadAfterMs;
  return (
    <div className="flex flex-col gap-3 text-sm">
      <dl className="flex flex-col gap-2.5">
        {rules.map((rule) => (
          <div key={rule.name}>
            <dt className="text-xs text-faint">{rule.name}</dt>
            <dd className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-medium tabular-nums">{rule.value}</span>
              {rule.from === null ? null : <code className="font-mono text-2xs text-faint">{rule.from}</code>}
            </dd>
          </div>
        ))}
      </dl>
      {isSlow ? (
        <Callout tone="warning">
          Passes come more seldom than servers are given up; a cluster may stay held for longer than it must.
        </Callout>
      ) : null}
      <TextLink href={routes.settings} className="text-xs">
        Settings
      </TextLink>
    </div>
  );
}
