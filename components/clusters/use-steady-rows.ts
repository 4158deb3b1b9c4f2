'use client';
import { useState } from 'react';
import type { ClusterRow } from '@/db/queries/cluster-dto';

export interface SteadyRow {
  readonly row: ClusterRow;
  /** It is not on this page any more; what is shown is what was last known. */
  readonly hasLeft: boolean;
}

interface Frozen {
  readonly key: string;
  readonly rows: readonly ClusterRow[];
}

/**
 * Rows that do not move under the pointer: values change in place; order and membership stay as first shown for this search, until
 * `apply`. `changeCount` says how many rows would come, go or move.
 */
export function useSteadyRows(key: string, fresh: readonly ClusterRow[]) {
  const [frozen, setFrozen] = useState<Frozen>({ key, rows: fresh });
  const isSameList = frozen.key === key;
  if (!isSameList) setFrozen({ key, rows: fresh });
  const before = isSameList ? frozen.rows : fresh;
  const now = new Map(fresh.map((row) => [row.id, row]));
  const rows: readonly SteadyRow[] = before.map((row) => ({ row: now.get(row.id) ?? row, hasLeft: !now.has(row.id) }));
  const shown = new Set(before.map((row) => row.id));
  const comers = fresh.filter((row) => !shown.has(row.id)).length;
  const leavers = rows.filter((each) => each.hasLeft).length;
  const moved = countMoved(
    before.filter((row) => now.has(row.id)).map((row) => row.id),
    fresh.filter((row) => shown.has(row.id)).map((row) => row.id),
  );
  return { rows, changeCount: comers + leavers + moved, apply: () => setFrozen({ key, rows: fresh }) };
}

function countMoved(before: readonly string[], after: readonly string[]): number {
  return before.filter((id, index) => after[index] !== id).length;
}
