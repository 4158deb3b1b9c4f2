/** A server that was only frozen: it wakes up after recovery and finds that its cluster belongs to somebody else. */
import { apiOf, expect, freshName, serverAt, stack, test } from './support/fixtures';
import { holdAt } from './support/kills';

const longMs = 60_000;
const server = () => serverAt(1);

test.afterEach(async () => {
  test.setTimeout(60_000);
  await server().resume();
});

for (const meanwhile of ['has ended', 'is still running'] as const) {
  test(`a server that is frozen in a step and wakes while a newer operation ${meanwhile} writes nothing and calls nothing more`, async ({
    page,
    api,
    records,
  }) => {
    test.setTimeout(180_000);
    const name = freshName('frozen');
    const { clusterId } = await api.createAccepted(name);
    await records.untilRests(clusterId, 'Running', longMs);
    const stale = await apiOf(1, records).operateAccepted('stop', clusterId);
    const gate = await holdAt(stack.simulator, stale.jobId, 'stop-node');
    await gate.reached(longMs);
    await server().pause();
    // Its call goes through while it sleeps; the answer waits for it.
    await gate.remove();
    await records.untilJobEnds(stale.jobId, longMs);
    await records.untilCluster(
      clusterId,
      'is free',
      (row) => row.operationId === null && row.state === 'Alert',
      longMs,
    );

    const newer = await api.operateAccepted('start', clusterId);
    const newerGate = meanwhile === 'has ended' ? undefined : await holdAt(stack.simulator, newer.jobId, 'detach-iso');
    if (newerGate === undefined) await records.untilRests(clusterId, 'Running', longMs);
    else await newerGate.reached(longMs);

    const { lastSequence } = await stack.simulator.ledger();
    const before = { transitions: await records.transitions(clusterId), steps: await records.steps(stale.jobId) };
    const { finishedAt, status, reason } = await records.job(stale.jobId);
    await server().resume();
    await records.until(
      'its late result is recorded',
      async () => (await records.job(stale.jobId)).lateResultAt ?? undefined,
      {
        withinMs: longMs,
        seen: () => records.job(stale.jobId),
      },
    );
    expect(await records.transitions(clusterId)).toEqual(before.transitions);
    expect(await records.steps(stale.jobId)).toEqual(before.steps);
    const after = await records.job(stale.jobId);
    expect({ finishedAt: after.finishedAt, status: after.status, reason: after.reason }).toEqual({
      finishedAt,
      status,
      reason,
    });
    expect({ status, reason }).toEqual({ status: 'failed', reason: 'server-departed' });
    expect((await records.cluster(clusterId)).operationId).toBe(newerGate === undefined ? null : newer.jobId);

    await newerGate?.remove();
    await records.untilRests(clusterId, 'Running', longMs);
    expect((await records.job(newer.jobId)).status).toBe('succeeded');
    const { entries } = await stack.simulator.ledger(lastSequence);
    expect(entries.filter(({ operation }) => operation?.startsWith(stale.jobId))).toEqual([]);

    await page.goto(`/jobs/${stale.jobId}`);
    await expect(page.getByText('A late result was ignored')).toBeVisible();
    await page.goto(`/clusters/${clusterId}/events`);
    await expect(page.getByText(/A late result of server-2 .* was ignored/).first()).toBeVisible();
  });
}
