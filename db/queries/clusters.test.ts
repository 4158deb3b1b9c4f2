import { beforeEach, describe, expect, it } from 'vitest';
import {
  ana,
  beatMs,
  ben,
  departNow,
  insertCluster,
  insertHeldCluster,
  insertServer,
  leaseMs,
} from '@/test/support/fixtures';
import { scratchDatabase } from '@/test/support/scratch';
import { type ClusterSearch, clusterSearch } from './cluster-conditions';
import { clusterDetail } from './cluster-detail';
import { listClusters } from './clusters';
import type { Reader } from './reader';
import { fleetSummary } from './summary';

const scratch = scratchDatabase();
const cronPeriodMs = 5_000;
let reader: Reader;

const list = (wanted: Partial<ClusterSearch> = {}) =>
  listClusters(scratch.db, reader, { ...clusterSearch.parse({}), ...wanted });
const names = async (wanted: Partial<ClusterSearch> = {}) => (await list(wanted)).rows.map((row) => row.name);

beforeEach(async () => {
  const serverId = await insertServer(scratch.sql);
  reader = { actor: ana, serverId, beatMs, leaseMs, cronPeriodMs };
});

describe('the list of clusters', () => {
  it('finds by words, phrases and what must not be in it, without taking % for a wild card', async () => {
    for (const name of ['find-red-one', 'find-red-two', 'find-blue'])
      await insertCluster(scratch.sql, { state: 'Running', name });
    expect(await names({ q: 'find- red' })).toEqual(['find-red-one', 'find-red-two']);
    expect(await names({ q: 'find-red -two' })).toEqual(['find-red-one']);
    expect(await names({ q: '"find-b"' })).toEqual(['find-blue']);
    expect(await names({ q: 'find-%' })).toEqual([]);
  });

  it('goes through all pages without losing or repeating one, in both directions and by every sort', async () => {
    for (let index = 0; index < 7; index += 1)
      await insertCluster(scratch.sql, { state: index % 2 === 0 ? 'Running' : 'Alert', name: `page-${index}` });
    for (const sort of ['name', 'state', 'version', 'nodes', 'created'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await list({ q: 'page-', sort, order, limit: 2, cursor });
          expect(page.total).toBe(7);
          seen.push(...page.rows.map((row) => row.name));
          cursor = page.nextCursor ?? undefined;
        } while (cursor !== undefined);
        expect([...seen].sort(), `${sort} ${order}`).toEqual(Array.from({ length: 7 }, (_, index) => `page-${index}`));
      }
    }
  });

  it('begins anew when the cursor is not one of ours', async () => {
    await insertCluster(scratch.sql, { state: 'Running', name: 'cursor-one' });
    expect(await names({ q: 'cursor-', cursor: 'nonsense' })).toEqual(['cursor-one']);
  });

  it('counts a cluster whose server has departed as orphaned and as in need of attention, not as operating', async () => {
    const gone = await insertServer(scratch.sql);
    await insertHeldCluster(scratch.sql, { state: 'Stopping', serverId: gone, name: 'orphan-one' });
    await insertHeldCluster(scratch.sql, { state: 'Stopping', serverId: reader.serverId, name: 'orphan-not' });
    await departNow(scratch.sql, gone);
    const found = await list({ q: 'orphan-' });
    expect(found.rows.map((row) => [row.name, row.isOrphaned, row.holder?.serverHealth])).toEqual([
      ['orphan-not', false, 'live'],
      ['orphan-one', true, 'dead'],
    ]);
    expect(await names({ q: 'orphan-', preset: 'orphaned' })).toEqual(['orphan-one']);
    expect(await names({ q: 'orphan-', preset: 'attention' })).toEqual(['orphan-one']);
    expect(await names({ q: 'orphan-', preset: 'operating' })).toEqual(['orphan-not']);
  });

  it('counts each preset and state as the list itself shows them', async () => {
    await insertCluster(scratch.sql, { state: 'Error' });
    const all = await list({ limit: 200 });
    for (const preset of ['all', 'attention', 'operating', 'orphaned', 'stopped', 'mine'] as const) {
      expect((await list({ preset, limit: 200 })).rows.length, preset).toBe(all.presets[preset]);
    }
    for (const facet of all.states) {
      expect((await list({ state: [facet.value as 'Running'], limit: 200 })).rows.length, facet.value).toBe(
        facet.count,
      );
    }
    const summary = await fleetSummary(scratch.db, reader, cronPeriodMs);
    expect(summary).toMatchObject({
      clusters: all.presets.all,
      attention: all.presets.attention,
      orphaned: all.presets.orphaned,
    });
  });

  it('shows deleted clusters only to those who ask for them', async () => {
    await insertCluster(scratch.sql, { state: 'Destroyed', name: 'deleted-one' });
    expect(await names({ q: 'deleted-' })).toEqual([]);
    expect(await names({ q: 'deleted-', state: ['Destroyed'] })).toEqual(['deleted-one']);
  });

  it('names the holder in the reason of every operation that is off because of it', async () => {
    await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId: reader.serverId, name: 'held-one' });
    const [row] = (await list({ q: 'held-one' })).rows;
    expect(row?.holder).toMatchObject({ kind: 'upgrade', actorName: 'Ana', ended: false });
    for (const choice of row?.operations ?? []) expect(choice.text, choice.kind).toContain('Upgrade by Ana');
  });
});

describe('one cluster', () => {
  it('is found with what its loss would make of it, and is undefined where there never was one', async () => {
    const held = await insertHeldCluster(scratch.sql, { state: 'Importing', serverId: reader.serverId });
    const detail = await clusterDetail(scratch.db, reader, held.id);
    expect(detail).toMatchObject({
      name: held.name,
      recoveredTo: 'Running',
      timing: { leaseMs, cronPeriodMs },
      mayProtect: false,
    });
    expect(detail?.transitions).toHaveLength(1);
    expect(await clusterDetail(scratch.db, reader, '00000000-0000-4000-8000-000000000000')).toBeUndefined();
  });

  it('tells an admin that the protection is theirs to change', async () => {
    const { id } = await insertCluster(scratch.sql, { state: 'Running', protected: true });
    const detail = await clusterDetail(scratch.db, { ...reader, actor: ben }, id);
    expect(detail?.mayProtect).toBe(true);
    expect(detail?.operations.find((choice) => choice.kind === 'delete')).toMatchObject({
      verdict: null,
      reason: 'protected',
    });
  });

  it('never carries a secret', async () => {
    const { id } = await insertCluster(scratch.sql, { state: 'Running' });
    await scratch.sql`insert into cluster_secrets (cluster_id, kind, value) values (${id}, 'pki', ${Buffer.from('top secret')})`;
    expect(JSON.stringify(await clusterDetail(scratch.db, reader, id))).not.toContain('top secret');
  });
});
