import { CircleArrowDown, CircleCheck, CircleOff, type LucideIcon, OctagonX, Replace, WifiOff } from 'lucide-react';
import type { Tone } from '@/components/ui/class-names';
import type { ServerRow } from '@/db/queries/servers';

export interface ServerLook {
  readonly label: string;
  readonly tone: Tone;
  readonly icon: LucideIcon;
  readonly meaning: string;
}

const up: ServerLook = { label: 'Up', tone: 'success', icon: CircleCheck, meaning: 'It beats and takes new work.' };
const silent: ServerLook = {
  label: 'Silent',
  tone: 'warning',
  icon: WifiOff,
  meaning: 'Two beats are missing. It may still come back before its lease is over.',
};
const draining: ServerLook = {
  label: 'Draining',
  tone: 'violet',
  icon: CircleArrowDown,
  meaning: 'It takes no new work and ends its own.',
};
const departures: Readonly<Record<'crashed' | 'clean' | 'replaced', ServerLook>> = {
  crashed: {
    label: 'Departed',
    tone: 'danger',
    icon: OctagonX,
    meaning: 'Its lease ran out: it crashed, or lost the database.',
  },
  clean: { label: 'Stopped cleanly', tone: 'neutral', icon: CircleOff, meaning: 'It said goodbye.' },
  replaced: {
    label: 'Replaced',
    tone: 'neutral',
    icon: Replace,
    meaning: 'A later boot of the same name took its place.',
  },
};

export function serverLook(server: Pick<ServerRow, 'state' | 'departure'>): ServerLook {
  switch (server.state) {
    case 'up':
      return up;
    case 'silent':
      return silent;
    case 'draining':
      return draining;
    case 'departed':
      return departures[server.departure ?? 'crashed'];
  }
}
