'use client';
import { parseAsString, useQueryStates } from 'nuqs';
import { type JobSearch, jobTabNames, readJobSearch } from './job-search';

const parsers = {
  tab: parseAsString,
  kind: parseAsString,
  cluster: parseAsString,
  server: parseAsString,
  by: parseAsString,
  q: parseAsString,
  after: parseAsString,
};

/** The filter of a list of jobs, kept in the address. Each change makes an entry in the history, typing does not. */
export function useJobSearch() {
  const [raw, setRaw] = useQueryStates(parsers);
  const { search, ignored } = readJobSearch(raw);
  const change = (next: Partial<JobSearch>, history: 'push' | 'replace' = 'push') => {
    const { tab, ...rest } = next;
    const tabChange = tab === undefined ? {} : { tab: tab === jobTabNames[0] ? null : tab };
    // Another filter begins at its first page.
    return setRaw({ after: null, ...rest, ...tabChange }, { history });
  };
  const clear = () =>
    setRaw({ kind: null, cluster: null, server: null, by: null, q: null, after: null }, { history: 'push' });
  return { search, ignored, change, clear };
}
