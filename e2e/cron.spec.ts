/** The cron route: closed without its secret, one pass at a time, and every decision in its answer. */
import { ownSecretKey, statePath } from '../scripts/lib-folder.mjs';
import { freePort } from '../scripts/lib-ports.mjs';
import { serverEnvironment, serverUrl, serverWords } from '../scripts/lib-servers.mjs';
import { supervise, waitForAnswer } from '../scripts/lib-supervise.mjs';
import { expect, freshName, serverAt, stack, test } from './support/fixtures';
import { holdAt } from './support/kills';

const path = '/api/cron/recovery';
const call = (url: string, authorization?: string, method = 'POST') =>
  fetch(new URL(path, url), { method, ...(authorization === undefined ? {} : { headers: { authorization } }) });
const first = () => serverAt(0).url;
const right = () => `Bearer ${stack.cronSecret}`;

for (const method of ['GET', 'POST']) {
  test(`${method} without the secret, or with a wrong one, is 401 without a word`, async () => {
    const wrong = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${stack.cronSecret}x`,
      `Basic ${stack.cronSecret}`,
      stack.cronSecret,
    ];
    for (const authorization of wrong) {
      const response = await call(first(), authorization, method);
      expect(response.status, String(authorization)).toBe(401);
      expect(await response.text()).toBe('');
    }
    expect((await call(first(), right(), method)).status).toBe(200);
  });
}

test('a server without a secret keeps the route closed for everybody', async () => {
  test.setTimeout(120_000);
  const port = await freePort();
  const name = 'server-closed';
  const { CRON_SECRET: _, ...environment } = stack.environment;
  const program = supervise({
    name,
    words: serverWords(port),
    env: { ...environment, CRON_SECRET: undefined, ...serverEnvironment({ name, port, secretKey: ownSecretKey() }) },
    logFile: statePath('e2e', `${name}.log`),
    restart: false,
  });
  try {
    await waitForAnswer(program, `${serverUrl(port)}/api/health/ready`, { withinMs: 60_000 });
    for (const authorization of [undefined, 'Bearer ', 'Bearer undefined', right()]) {
      expect((await call(serverUrl(port), authorization)).status, String(authorization)).toBe(401);
    }
  } finally {
    await program.stop(10_000);
  }
});

test('two calls at once make one pass: the second is told which one is under way', async ({ records }) => {
  const { sql } = records;
  const answers: { status: string; id?: number; alreadyRunning?: number }[] = [];
  const ask = (url: string) => call(url, right()).then(async (response) => void answers.push(await response.json()));
  // Nothing can be read from the clusters for a moment, so the first pass cannot be over before the second call comes.
  const holder = await sql.reserve();
  await holder`begin`;
  await holder`lock table clusters in access exclusive mode`;
  // Other specs may have killed one of the others just now.
  const asked = [
    ask(first()),
    ask(first()),
    ...stack.servers.slice(1).map(({ url }) => ask(url).catch(() => undefined)),
  ];
  await expect.poll(() => answers.length, { timeout: 5_000 }).toBeGreaterThan(0);
  await holder`commit`;
  holder.release();
  await Promise.all(asked);
  const done = answers.filter(({ status }) => status === 'done');
  const told = answers.filter(({ status }) => status === 'already-running');
  expect(done.length + told.length).toBe(answers.length);
  expect(told.length).toBeGreaterThan(0);
  // The cron of these tests goes on meanwhile: whoever was told was told of a pass that there is.
  const ids = told.map(({ alreadyRunning }) => alreadyRunning ?? 0);
  const known = await sql`select id from passes where mode = 'apply' and id = any(${ids})`;
  expect(known.length).toBe(new Set(ids).size);
  const overlaps = await sql`
    select a.id, b.id as other from passes a join passes b on b.id > a.id and a.mode = 'apply' and b.mode = 'apply'
      and tstzrange(a.started_at, coalesce(a.ownership_done_at, a.finished_at, 'infinity'))
        && tstzrange(b.started_at, coalesce(b.ownership_done_at, b.finished_at, 'infinity'))`;
  expect([...overlaps]).toEqual([]);
});

test('its JSON lists each decision, with code and reason', async ({ api, records }) => {
  test.setTimeout(90_000);
  const name = freshName('cron');
  const { clusterId, jobId } = await api.createAccepted(name);
  const gate = await holdAt(stack.simulator, jobId, 'build-node');
  await gate.reached();
  const report = await records.until('a pass of ours runs', async () => {
    const answer = await (await call(first(), right())).json();
    return answer.status === 'done' ? answer : undefined;
  });
  expect(report.mode).toBe('apply');
  expect(report.decisions).toContainEqual(
    expect.objectContaining({
      clusterId,
      clusterName: name,
      jobId,
      state: 'Starting',
      decision: 'leave',
      code: 'JOB_IN_PROGRESS',
      becomes: null,
    }),
  );
  const decision = report.decisions.find((each: { clusterId: string }) => each.clusterId === clusterId);
  expect(decision.reason).toMatch(/server-1/);
  await gate.remove();
  await records.untilRests(clusterId, 'Running', 60_000);
});
