'use client';
import { useState } from 'react';

export interface FrozenRow<T> {
  readonly row: T;
  /** The fresh list has it no more; what is shown is what was last known. */
  readonly hasLeft: boolean;
}

interface Frozen<T> {
  readonly of: string;
  readonly rows: readonly T[];
}

/**
 * Keeps order and membership of a live list until the reader asks (interface 4.11): values change in place, new and gone rows are
 * only counted. `of` names what is listed (filter, page); another one starts afresh.
 */
export function useFrozenRows<T>(fresh: readonly T[] | undefined, keyOf: (row: T) => string, of: string) {
  const [frozen, setFrozen] = useState<Frozen<T> | null>(null);
  // Adjusted while rendering, as React advises for state that follows from props.
  const isOther =
    fresh !== undefined && (frozen === null || frozen.of !== of || (frozen.rows.length === 0 && fresh.length > 0));
  if (isOther) setFrozen({ of, rows: fresh });
  const kept = isOther ? fresh : frozen?.of === of ? frozen.rows : [];
  const byKey = new Map((fresh ?? []).map((row) => [keyOf(row), row]));
  const rows: readonly FrozenRow<T>[] = kept.map((row) => ({
    row: byKey.get(keyOf(row)) ?? row,
    hasLeft: fresh !== undefined && !byKey.has(keyOf(row)),
  }));
  const known = new Set(kept.map(keyOf));
  const added = (fresh ?? []).filter((row) => !known.has(keyOf(row))).length;
  const left = rows.filter((each) => each.hasLeft).length;
  // On a full page each new row pushes an old one out; that is one change, not two.
  const changed = Math.max(added, left);
  return { rows, changed, apply: () => fresh !== undefined && setFrozen({ of, rows: fresh }) };
}
