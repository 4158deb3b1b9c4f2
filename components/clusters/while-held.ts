'use client';
import { liveState } from '@/components/live/live-state';

/**
 * A beat that comes, or does not, announces nothing: while a cluster is held, its server's age is only seen by asking again. Not
 * while the reader has paused the page.
 */
const refreshMs = { page: 3_000, list: 10_000 } as const;

export function whileHeld(isHeld: boolean, where: keyof typeof refreshMs): number | false {
  return isHeld && liveState().mode !== 'paused' ? refreshMs[where] : false;
}
