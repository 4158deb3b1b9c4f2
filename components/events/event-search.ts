/** What the audit trail is filtered by, as its address says it. Shared by page, API and browser. */
import { z } from 'zod';
import { eventResults, eventTypes } from '@/domain/events';
import { operationKinds } from '@/domain/operations';

export const actorKinds = ['user', 'token', 'autoscaler', 'scanner', 'cron', 'unknown'] as const;
export const eventRanges = ['1h', '24h', '7d', '30d'] as const;
export type EventRange = (typeof eventRanges)[number];

const schemas = {
  type: z.enum(eventTypes),
  result: z.enum(eventResults),
  actor: z.enum(actorKinds),
  by: z.string().min(1).max(200),
  cluster: z.uuid(),
  job: z.uuid(),
  server: z.uuid(),
  kind: z.enum(operationKinds),
  range: z.enum(eventRanges),
  q: z.string().trim().min(1).max(200),
  before: z.string().regex(/^[0-9]{1,15}$/),
} as const;

export type EventSearch = { readonly [Name in keyof typeof schemas]: z.infer<(typeof schemas)[Name]> | null };
export const eventSearchNames = Object.keys(schemas) as (keyof EventSearch)[];

type Raw = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** Reads an address. What it does not know is left out and named, so that the page can say so. */
export function readEventSearch(raw: Raw): { search: EventSearch; ignored: readonly string[] } {
  const ignored: string[] = [];
  const read = <Name extends keyof typeof schemas>(name: Name): z.infer<(typeof schemas)[Name]> | null => {
    const value = raw[name];
    if (value === undefined || value === null || value === '') return null;
    const parsed = schemas[name].safeParse(value);
    if (parsed.success) return parsed.data as z.infer<(typeof schemas)[Name]>;
    ignored.push(name);
    return null;
  };
  const search: EventSearch = {
    type: read('type'),
    result: read('result'),
    actor: read('actor'),
    by: read('by'),
    cluster: read('cluster'),
    job: read('job'),
    server: read('server'),
    kind: read('kind'),
    range: read('range'),
    q: read('q'),
    before: read('before'),
  };
  return { search, ignored };
}

/** The query of the address for a search; what is not set is left out. */
export function eventSearchQuery(search: Partial<EventSearch>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

export function isEventFilterSet(search: EventSearch): boolean {
  return eventSearchNames.some((name) => name !== 'before' && search[name] !== null);
}
