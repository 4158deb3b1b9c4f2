import { Check, CircleX, HeartPulse, LifeBuoy, LoaderCircle, type LucideIcon, Unplug } from 'lucide-react';
import type { Tone } from '@/components/ui/class-names';
import type { PassRow } from '@/db/queries/recovery';
import type { Decision } from '@/domain/orphans';
import type { PassDecision, PassMode } from '@/domain/passes';

export interface PassLook {
  /** One letter, so that the strip speaks without its colours. */
  readonly letter: string;
  readonly label: string;
  readonly tone: Tone;
  readonly icon: LucideIcon;
}

/** What a pass amounts to; the worst thing first. */
export function passLook(pass: PassRow): PassLook {
  if (pass.status === 'running') return { letter: '…', label: 'Running', tone: 'info', icon: LoaderCircle };
  if (pass.status === 'failed' || pass.errors > 0)
    return { letter: 'E', label: 'With errors', tone: 'danger', icon: CircleX };
  if (pass.status === 'interrupted') return { letter: 'I', label: 'Interrupted', tone: 'danger', icon: Unplug };
  if (pass.gate !== null) return { letter: 'G', label: 'Held back', tone: 'violet', icon: Unplug };
  if (pass.missed > 0) return { letter: 'M', label: 'Missed one', tone: 'warning', icon: LifeBuoy };
  if (pass.recovered > 0) return { letter: 'R', label: 'Recovered', tone: 'warning', icon: LifeBuoy };
  if (pass.alerted + pass.jobsStarted + pass.swept + pass.departed > 0)
    return { letter: 'A', label: 'Acted', tone: 'info', icon: HeartPulse };
  return { letter: '·', label: 'Nothing to do', tone: 'success', icon: Check };
}

export const decisionLooks: Readonly<Record<Decision, { label: string; tone: Tone }>> = {
  recover: { label: 'Recover', tone: 'warning' },
  leave: { label: 'Leave', tone: 'neutral' },
  blocked: { label: 'Blocked', tone: 'violet' },
};

export const resultLooks: Readonly<
  Record<Exclude<PassDecision['result'], null | 'none'>, { label: string; tone: Tone }>
> = {
  done: { label: 'Done', tone: 'success' },
  missed: { label: 'Moved on first', tone: 'warning' },
  failed: { label: 'Failed', tone: 'danger' },
};

/** "2 recovered, 1 missed" of a pass, "2 to be recovered" of a preview; "nothing to do" when all is zero. */
export function countsText(
  pass: Pick<PassRow, 'recovered' | 'missed' | 'errors' | 'departed' | 'alerted' | 'jobsStarted' | 'swept'>,
  mode: PassMode = 'apply',
): string {
  const isPreview = mode === 'preview';
  const parts = [
    [pass.recovered, isPreview ? 'to be recovered' : 'recovered'],
    [pass.missed, 'missed'],
    [pass.departed, pass.departed === 1 ? 'server departed' : 'servers departed'],
    [pass.alerted, 'to Alert'],
    [pass.jobsStarted, `${pass.jobsStarted === 1 ? 'job' : 'jobs'} ${isPreview ? 'to be started' : 'started'}`],
    [pass.swept, `${pass.swept === 1 ? 'machine' : 'machines'} ${isPreview ? 'to be swept' : 'swept'}`],
    [pass.errors, pass.errors === 1 ? 'error' : 'errors'],
  ] as const;
  const texts = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return texts.length === 0 ? 'nothing to do' : texts.join(', ');
}
