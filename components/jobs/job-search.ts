/** What a list of jobs is filtered by, as its address says it. Shared by page, API and browser. */
import { z } from 'zod';
import { operationKinds } from '@/domain/operations';

export const jobTabNames = [
  'all',
  'in-progress',
  'waiting',
  'succeeded',
  'failed',
  'recovered',
  'cancelled',
  'refused',
] as const;
export type JobTabName = (typeof jobTabNames)[number];

export interface JobSearch {
  readonly tab: JobTabName;
  readonly kind: string | null;
  readonly cluster: string | null;
  readonly server: string | null;
  readonly by: string | null;
  readonly q: string | null;
  readonly after: string | null;
}

const schemas = {
  tab: z.enum(jobTabNames),
  kind: z.enum(operationKinds),
  cluster: z.uuid(),
  server: z.uuid(),
  by: z.string().min(1).max(200),
  q: z.string().trim().min(1).max(200),
  after: z.string().regex(/^((open|ended)~[0-9 :+.-]{10,40}~[0-9a-f-]{36}|[0-9]{1,18})$/),
} as const;

type Raw = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** Reads an address. What it does not know is left out and named, so that the page can say so. */
export function readJobSearch(raw: Raw): { search: JobSearch; ignored: readonly string[] } {
  const ignored: string[] = [];
  const read = (name: keyof typeof schemas): string | null => {
    const value = raw[name];
    if (value === undefined || value === null || value === '') return null;
    const parsed = schemas[name].safeParse(value);
    if (parsed.success) return parsed.data;
    ignored.push(name);
    return null;
  };
  const tab = jobTabNames.find((known) => known === read('tab')) ?? 'all';
  const search = {
    tab,
    kind: read('kind'),
    cluster: read('cluster'),
    server: read('server'),
    by: read('by'),
    q: read('q'),
    after: read('after'),
  };
  return { search, ignored };
}

/** The query of the address for a search; defaults are left out. */
export function jobSearchQuery(search: Partial<JobSearch>): Record<string, string> {
  const entries = Object.entries(search).filter(
    ([name, value]) => value !== null && value !== undefined && !(name === 'tab' && value === 'all'),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

export function isFiltered(search: JobSearch): boolean {
  return [search.kind, search.cluster, search.server, search.by, search.q].some((value) => value !== null);
}
