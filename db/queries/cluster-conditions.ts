/** Filters and orders of the clusters list as SQL. Statements that use them join the owner's job and its server. */
import { and, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { clusters, kubernetesVersions } from '@/db/schema/clusters';
import { jobs } from '@/db/schema/jobs';
import { clusterStates, operationStates } from '@/domain/states';
import { type ClusterPreset, clusterPresets } from './cluster-dto';
import { type Reader, serverHealth } from './reader';

export const clusterSorts = ['name', 'state', 'version', 'nodes', 'created'] as const;
export type ClusterSort = (typeof clusterSorts)[number];

/** Comma separated. Values that the item does not know are left out. */
const list = <Value>(item: z.ZodType<Value>) =>
  z.string().transform((text) =>
    text.split(',').flatMap((part) => {
      const parsed = item.safeParse(part);
      return part !== '' && parsed.success ? [parsed.data] : [];
    }),
  );

/** The query of `/api/v1/clusters` and of the page. Unknown values are left out, not refused: a link must always open. */
export const clusterSearch = z.object({
  preset: z.enum(clusterPresets).catch('all').default('all'),
  state: list(z.enum(clusterStates)).catch([]).default([]),
  version: list(z.string().max(40)).catch([]).default([]),
  zone: list(z.string().max(255)).catch([]).default([]),
  q: z.string().trim().max(200).catch('').default(''),
  sort: z.enum(clusterSorts).catch('name').default('name'),
  order: z.enum(['asc', 'desc']).catch('asc').default('asc'),
  cursor: z.string().max(600).optional().catch(undefined),
  limit: z.coerce.number().int().min(1).max(200).catch(50).default(50),
});
export type ClusterSearch = z.infer<typeof clusterSearch>;

const operationList = sql.raw(operationStates.map((state) => `'${state}'`).join(','));
const isTaken = sql`(${clusters.operationId} is not null or ${clusters.state} in (${operationList}))`;

/** Owned or in an operation, and no live server works on it. */
export function isOrphaned(reader: Reader): SQL<boolean> {
  return sql<boolean>`(${isTaken} and (${jobs.status} is distinct from 'in_progress' or coalesce(${serverHealth(reader.beatMs)}, 'dead') = 'dead'))`;
}

function needsAttention(reader: Reader): SQL {
  return sql`(${clusters.state} in ('Alert','Error') or ${isOrphaned(reader)} or ${serverHealth(reader.beatMs)} = 'silent'
    or (${clusters.state} = 'Destroying' and ${clusters.operationId} is null))`;
}

export function presetCondition(preset: ClusterPreset, reader: Reader): SQL {
  switch (preset) {
    case 'all':
      return sql`true`;
    case 'attention':
      return needsAttention(reader);
    case 'operating':
      return sql`(${jobs.status} = 'in_progress' and not ${isOrphaned(reader)})`;
    case 'orphaned':
      return isOrphaned(reader);
    case 'stopped':
      return sql`${clusters.state} = 'Stopped'`;
    case 'mine':
      return sql`${clusters.createdBy} = ${reader.actor.name}`;
  }
}

/** Deleted clusters are shown to those who ask for them by state. */
function isShown(search: ClusterSearch): SQL {
  return search.state.includes('Destroyed') ? sql`true` : sql`${clusters.removedAt} is null`;
}

type Dimension = 'state' | 'version' | 'zone';

/** Every filter but that of `except`, so that a facet counts what choosing another of its values would show. */
export function searchCondition(search: ClusterSearch, reader: Reader, except?: Dimension): SQL | undefined {
  return and(
    isShown(search),
    presetCondition(search.preset, reader),
    except === 'state' || search.state.length === 0 ? undefined : inArray(clusters.state, search.state),
    except === 'version' || search.version.length === 0
      ? undefined
      : inArray(kubernetesVersions.version, search.version),
    except === 'zone' || search.zone.length === 0 ? undefined : inArray(clusters.zoneName, search.zone),
    ...textConditions(search.q),
  );
}

/** Words must all be found in name, id or owner; "a phrase" is one word; -word must not be found. */
function textConditions(text: string): SQL[] {
  return [...text.matchAll(/(-?)(?:"([^"]*)"?|(\S+))/g)].flatMap(([, minus, phrase, word]) => {
    const needle = (phrase ?? word ?? '').trim();
    if (needle === '') return [];
    const pattern = `%${needle.replace(/[\\%_]/g, '\\$&')}%`;
    const found = sql`(${clusters.name} ilike ${pattern} or ${clusters.id}::text ilike ${pattern} or ${clusters.createdBy} ilike ${pattern})`;
    return [minus === '-' ? sql`not ${found}` : found];
  });
}

/** What a sort goes by, and its type for the cursor. By state: the worst first, then the longest in it. */
export function sortBy(sort: ClusterSort, reader: Reader): { by: SQL; type: SQL } {
  switch (sort) {
    case 'name':
      return { by: sql`${clusters.name}`, type: sql`text` };
    case 'version':
      return { by: sql`string_to_array(${kubernetesVersions.version}, '.')::int[]`, type: sql`int[]` };
    case 'nodes':
      return { by: sql`(${clusters.controlCount} + ${clusters.workerCount} + ${clusters.etcdCount})`, type: sql`int` };
    case 'created':
      return { by: sql`${clusters.createdAt}`, type: sql`timestamptz` };
    case 'state':
      return {
        by: sql`(${severity(reader)} * 1e11::float8 + extract(epoch from ${clusters.stateSince})::float8)`,
        type: sql`float8`,
      };
  }
}

function severity(reader: Reader): SQL {
  return sql`(case when ${isOrphaned(reader)} then 0 when ${clusters.state} = 'Error' then 1 when ${clusters.state} = 'Alert' then 2
    when ${clusters.state} = 'Destroying' then 3 when ${clusters.operationId} is not null then 4 when ${clusters.state} = 'Running' then 5
    when ${clusters.state} = 'Created' then 6 when ${clusters.state} = 'Stopped' then 7 else 8 end)`;
}

const cursorShape = z.tuple([z.string(), z.uuid()]);

export function afterCursor(
  cursor: string | undefined,
  order: 'asc' | 'desc',
  key: { by: SQL; type: SQL },
): SQL | undefined {
  if (cursor === undefined) return undefined;
  const parsed = cursorShape.safeParse(jsonOf(cursor));
  if (!parsed.success) return undefined;
  const [value, id] = parsed.data;
  const than = order === 'asc' ? sql`>` : sql`<`;
  return sql`(${key.by}, ${clusters.id}) ${than} (${value}::${key.type}, ${id}::uuid)`;
}

export function cursorOf(value: string, id: string): string {
  return Buffer.from(JSON.stringify([value, id])).toString('base64url');
}

function jsonOf(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
