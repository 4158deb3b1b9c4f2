'use client';
import { Pause } from 'lucide-react';
import { Mark } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import type { Tone } from '@/components/ui/class-names';
import { Menu, MenuRadioGroup, MenuSeparator } from '@/components/ui/menu';
import { Time } from '@/components/ui/time';
import { chooseLiveMode } from './live-provider';
import { type LiveState, liveModes, useLive } from './live-state';

const modeLabels: Readonly<Record<(typeof liveModes)[number], string>> = {
  live: 'Live',
  '5': 'Every 5 s',
  '15': 'Every 15 s',
  '60': 'Every 60 s',
  paused: 'Paused',
};

function look({ health, mode }: LiveState): { tone: Tone; label: string; text: string } {
  if (mode === 'paused')
    return { tone: 'neutral', label: 'Paused', text: 'Nothing on this page moves until you go on.' };
  switch (health) {
    case 'connecting':
      return { tone: 'neutral', label: 'Connecting', text: 'Connecting to the live updates.' };
    case 'polling':
      return { tone: 'warning', label: 'Polling', text: 'The live stream is down. Asking every 5 s.' };
    case 'lost':
      return { tone: 'danger', label: 'Lost', text: 'The server does not answer. What you see may be out of date.' };
    case 'live':
      return {
        tone: 'success',
        label: mode === 'live' ? 'Live' : modeLabels[mode],
        text: 'Changes show as they happen.',
      };
  }
}

/** The lamp of the live updates, and the choice of how often things move. */
export function LiveControl() {
  const live = useLive();
  const { tone, label, text } = look(live);
  return (
    <Menu
      label="Live updates"
      trigger={
        <Button
          variant="ghost"
          aria-label={`Live updates: ${label}`}
          icon={
            live.mode === 'paused' ? (
              <Pause aria-hidden className="size-3.5" />
            ) : (
              <Mark tone={tone} isActive={live.health === 'polling' || live.health === 'connecting'} />
            )
          }
        >
          <span className="max-sm:sr-only">{label}</span>
        </Button>
      }
    >
      <div className="max-w-64 px-2.5 pt-1.5 pb-2 text-xs text-faint">
        <p className="text-soft">{text}</p>
        {live.heardAt === null ? null : (
          <p>
            {live.server === null ? 'Heard' : `${live.server}, heard`} <Time value={live.heardAt} />
          </p>
        )}
      </div>
      <MenuSeparator />
      <MenuRadioGroup
        label="Show changes"
        value={live.mode}
        onChange={(value) => chooseLiveMode(liveModes.find((mode) => mode === value) ?? 'live')}
        options={liveModes.map((value) => ({ value, label: modeLabels[value] }))}
      />
    </Menu>
  );
}
