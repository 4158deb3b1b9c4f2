/*
 * components/ui — the kit: what every page is built from. No word of the domain in it; nothing here fetches.
 */
import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

const merge = extendTailwindMerge({ extend: { theme: { text: ['2xs'] } } });

/** Joins class names; a later one wins over an earlier one of the same kind. */
export function classNames(...values: ClassValue[]): string {
  return merge(clsx(values));
}

/** What a colour says. Never the only carrier: a text or an icon stands beside it. */
export const tones = ['neutral', 'info', 'success', 'warning', 'danger', 'violet'] as const;
export type Tone = (typeof tones)[number];

export const toneClass: Readonly<Record<Tone, string>> = {
  neutral: 'tone-neutral',
  info: 'tone-info',
  success: 'tone-success',
  warning: 'tone-warning',
  danger: 'tone-danger',
  violet: 'tone-violet',
};
