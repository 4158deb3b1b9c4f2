'use client';
import type { BadgeName } from './navigation';

/** Filled from the fleet's summary. */
export function NavigationBadge(_: { name: BadgeName; isNarrow: boolean }) {
  return null;
}
