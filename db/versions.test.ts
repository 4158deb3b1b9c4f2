import { beforeEach, describe, expect, test } from 'vitest';
import { ben, insertCluster, insertVersion } from '@/test/support/fixtures';
import { scratchDatabase } from '@/test/support/scratch';
import { seedVersions, storeCatalogue } from './catalogue';
import { versionList } from './queries/version-list';
import { addVersion, changeMinimums, deleteVersion, setVersionEnabled } from './versions';

const scratch = scratchDatabase();
const reader = { actor: ben, serverId: '', beatMs: 2_000, leaseMs: 8_000, cronPeriodMs: 5_000 };
const wanted = {
  actor: ben,
  isoId: 'iso-1',
  isoName: 'v1.32.1-iso',
  version: '1.32.1',
  zoneId: null,
  minCpuCount: 2,
  minMemoryMb: 2048,
};

beforeEach(async () => {
  await scratch.sql`truncate clusters, kubernetes_versions, cloud_catalogue cascade`;
});

const summaries = async () =>
  (await scratch.sql<{ summary: string }[]>`select summary from events where type = 'version.changed' order by id`).map(
    (row) => row.summary,
  );
const only = async () => {
  const [first] = (await versionList(scratch.db, reader)).versions;
  if (first === undefined) throw new Error('there is no version');
  return first;
};

describe('Kubernetes versions', () => {
  test('each change is one event; a change that changes nothing is none', async () => {
    const before = (await summaries()).length;
    await addVersion(scratch.db, wanted);
    const { id: versionId } = await only();
    const asRead = { minCpuCount: 2, minMemoryMb: 2048 };
    const more = { minCpuCount: 4, minMemoryMb: 4096 };
    await changeMinimums(scratch.db, { actor: ben, versionId, asRead, wanted: more });
    await setVersionEnabled(scratch.db, { actor: ben, versionId, enabled: false });
    const again = await setVersionEnabled(scratch.db, { actor: ben, versionId, enabled: false });
    expect(again).toMatchObject({ ok: false, refusal: { reason: 'nothing-to-do' } });
    expect(await only()).toMatchObject({ enabled: false, minCpuCount: 4, minMemoryMb: 4096, isoState: 'unknown' });
    await deleteVersion(scratch.db, { actor: ben, versionId });
    expect((await summaries()).slice(before)).toEqual([
      'Ben added Kubernetes 1.32.1 from v1.32.1-iso, at least 2 CPUs and 2048 MB.',
      'Ben set what Kubernetes 1.32.1 needs to 4 CPUs and 4096 MB.',
      'Ben disabled Kubernetes 1.32.1.',
      'Ben deleted Kubernetes 1.32.1.',
    ]);
  });

  test('two admins who add the same version make one; the other is told at the field', async () => {
    const other = scratch.another();
    const answers = await Promise.all([addVersion(scratch.db, wanted), addVersion(other.db, wanted)]);
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    const refusal = answers.flatMap((answer) => (answer.ok ? [] : [answer.refusal]))[0];
    expect(refusal).toMatchObject({ code: 'invalid', issues: [{ field: 'version' }] });
  });

  test('minimums are changed as they were read, so that the second of two admins is told', async () => {
    await addVersion(scratch.db, wanted);
    const { id: versionId } = await only();
    const asRead = { minCpuCount: 2, minMemoryMb: 2048 };
    const change = (minCpuCount: number) =>
      changeMinimums(scratch.db, { actor: ben, versionId, asRead, wanted: { minCpuCount, minMemoryMb: 2048 } });
    expect((await change(4)).ok).toBe(true);
    expect(await change(8)).toMatchObject({ ok: false, refusal: { reason: 'moved-on' } });
    expect((await only()).minCpuCount).toBe(4);
  });

  test('one in use cannot be deleted, and the clusters are named; one of the history neither', async () => {
    const { name } = await insertCluster(scratch.sql, { state: 'Running' });
    const versionId = await insertVersion(scratch.sql);
    const refusalOf = async () => {
      const answer = await deleteVersion(scratch.db, { actor: ben, versionId });
      return answer.ok ? null : answer.refusal.message;
    };
    expect(await refusalOf()).toContain(`in use by cluster ${name}.`);
    await insertCluster(scratch.sql, { state: 'Stopped' });
    expect(await refusalOf()).toContain('in use by 2 clusters: ');
    expect(await only()).toMatchObject({ clusterCount: 2, deletedClusterCount: 0 });
    await scratch.sql`truncate clusters cascade`;
    await insertCluster(scratch.sql, { state: 'Destroyed' });
    expect(await refusalOf()).toContain('A deleted cluster names version 1.31.4 in the history');
    expect(await only()).toMatchObject({ clusterCount: 0, deletedClusterCount: 1 });
    await scratch.sql`truncate clusters cascade`;
    expect(await refusalOf()).toBeNull();
    expect(await refusalOf()).toBe('There is no such version any more.');
  });

  test('the list says what the cloud says of each ISO, newest first, and which ISOs could be added', async () => {
    const isos = [
      { id: 'iso-1.31.4', name: 'v1.31.4-iso', ready: true, zoneId: null },
      { id: 'iso-1.9.9', name: 'v1.30.1-iso', ready: false, zoneId: null },
      { id: 'new', name: 'v1.33.0-iso', ready: true, zoneId: 'z-1' },
      { id: 'not-ready', name: 'v1.34.0-iso', ready: false, zoneId: null },
      { id: 'nameless', name: 'ubuntu', ready: true, zoneId: null },
    ];
    await storeCatalogue(scratch.db, 'isos', isos);
    for (const version of ['1.31.4', '1.9.9', '1.10.0']) await insertVersion(scratch.sql, version);
    const list = await versionList(scratch.db, reader);
    expect(list.versions.map(({ version, isoState }) => `${version} ${isoState}`)).toEqual([
      '1.31.4 ready',
      '1.10.0 gone',
      '1.9.9 not-ready',
    ]);
    expect(list.choices).toEqual([{ id: 'new', name: 'v1.33.0-iso', version: '1.33.0', zoneId: 'z-1' }]);
  });

  test('an admin who deleted every version finds none there again', async () => {
    await addVersion(scratch.db, wanted);
    await deleteVersion(scratch.db, { actor: ben, versionId: (await only()).id });
    await seedVersions(scratch.db, [{ version: '1.31.4', isoId: 'i', isoName: 'n', zoneId: null }]);
    expect((await versionList(scratch.db, reader)).versions).toEqual([]);
  });
});
