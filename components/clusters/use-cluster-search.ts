'use client';
import { parseAsArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import type { ClusterSearch, ClusterSort } from '@/db/queries/cluster-conditions';
import type { ClusterPreset } from '@/db/queries/cluster-dto';
import { clusterStates } from '@/domain/states';

export const presets = [
  'all',
  'attention',
  'operating',
  'orphaned',
  'stopped',
  'mine',
] as const satisfies readonly ClusterPreset[];
const sorts = ['name', 'state', 'version', 'nodes', 'created'] as const satisfies readonly ClusterSort[];

const parsers = {
  preset: parseAsStringLiteral(presets).withDefault('all'),
  state: parseAsArrayOf(parseAsStringLiteral(clusterStates)).withDefault([]),
  version: parseAsArrayOf(parseAsString).withDefault([]),
  zone: parseAsArrayOf(parseAsString).withDefault([]),
  q: parseAsString.withDefault(''),
  sort: parseAsStringLiteral(sorts).withDefault('name'),
  order: parseAsStringLiteral(['asc', 'desc'] as const).withDefault('asc'),
  cursor: parseAsString,
};

export interface SearchChange {
  preset?: ClusterPreset | null;
  state?: ClusterSearch['state'] | null;
  version?: string[] | null;
  zone?: string[] | null;
  q?: string | null;
  sort?: ClusterSort | null;
  order?: 'asc' | 'desc' | null;
  cursor?: string | null;
}

/** The list's filters, sort and page, kept in the address. A change of anything but the page begins at the first page. */
export function useClusterSearch() {
  const [values, setValues] = useQueryStates(parsers, { history: 'push' });
  const { cursor, ...rest } = values;
  const search: ClusterSearch = { ...rest, cursor: cursor ?? undefined, limit: 50 };
  const change = (wanted: SearchChange, options: { isTyping?: boolean } = {}) => {
    const history = options.isTyping === true ? 'replace' : 'push';
    void setValues({ cursor: null, ...wanted }, { history });
  };
  const isFiltered =
    search.state.length + search.version.length + search.zone.length > 0 || search.q !== '' || search.preset !== 'all';
  const clear = () => change({ preset: null, state: null, version: null, zone: null, q: null });
  return { search, change, clear, isFiltered };
}
