/** Real SIGKILLs: a server dies in the middle of an operation, and its cluster is free again within lease and one period. */
import type { Page } from '@playwright/test';
import type { OperationKind } from '@/domain/operations';
import type { ClusterState } from '@/domain/states';
import {
  apiOf,
  deadServer,
  expect,
  freshName,
  markLoaded,
  serverAt,
  signedIn,
  stack,
  tabTo,
  test,
} from './support/fixtures';
import { holdAt, killNow, untilRecovered } from './support/kills';

const longMs = 60_000;
/** For two cores that also run a browser and three servers; `npm run kills` prints exact figures. */
const slackMs = 4_000;
const boundMs = () =>
  Number(stack.environment['HOLDFAST_LEASE_MS']) + Number(stack.environment['HOLDFAST_CRON_PERIOD_MS']) + slackMs;

const stateOf = (page: Page, label: string) =>
  page.getByRole('main').locator('h1 ~ *').getByText(label, { exact: true });
const banner = (page: Page) => page.getByText(/^Live updates lost/);

/** The one that these tests kill. */
const victim = 1;

test.describe.configure({ mode: 'default' });

test.afterEach(async ({ request }) => {
  test.setTimeout(120_000);
  for (const server of stack.servers.slice(1)) {
    const answers = await request.get(`${server.url}/api/health/live`, { timeout: 5_000 }).then(
      (response) => response.ok(),
      () => false,
    );
    if (!answers) await server.restart();
  }
});

interface Case {
  readonly title: string;
  readonly kind: Extract<OperationKind, 'create' | 'start' | 'stop' | 'delete'>;
  /** Killed while its first call of this step stands at the cloud. */
  readonly step: string;
  readonly becomes: ClusterState;
  /** Where it comes to rest by itself, with its page following. */
  readonly rests: ClusterState;
  readonly path: readonly string[];
}

const cases: readonly Case[] = [
  {
    title: 'a create that dies before its first machine is in Alert, says so, and a start goes on from there',
    kind: 'create',
    step: 'build-node control-1',
    becomes: 'Alert',
    rests: 'Alert',
    path: ['Alert'],
  },
  {
    title: 'a create that dies late is Running again by itself',
    kind: 'create',
    step: 'detach-iso',
    becomes: 'Alert',
    rests: 'Running',
    path: ['Running'],
  },
  {
    title: 'a start that dies before its first machine ran is Stopped again',
    kind: 'start',
    step: 'start-node control-1',
    becomes: 'Alert',
    rests: 'Stopped',
    path: ['Stopped'],
  },
  {
    title: 'a stop that dies before its first machine stopped is Running again',
    kind: 'stop',
    step: 'stop-node worker-1',
    becomes: 'Alert',
    rests: 'Running',
    path: ['Running'],
  },
  {
    title: 'a delete that dies goes on by itself and completes',
    kind: 'delete',
    step: 'destroy-node control-1',
    becomes: 'Destroying',
    rests: 'Destroyed',
    path: ['Destroyed'],
  },
];

for (const { title, kind, step, becomes, rests, path } of cases) {
  test(`SIGKILL: ${title}`, async ({ page, records, api }) => {
    test.setTimeout(180_000);
    const onVictim = apiOf(victim, records);
    const name = freshName(kind);
    let clusterId: string;
    let jobId: string;
    if (kind === 'create') {
      ({ clusterId, jobId } = await onVictim.createAccepted(name));
    } else {
      ({ clusterId } = await api.createAccepted(name));
      await records.untilRests(clusterId, 'Running', longMs);
      if (kind === 'start') {
        await api.operateAccepted('stop', clusterId);
        await records.untilRests(clusterId, 'Stopped', longMs);
      }
      ({ jobId } = await onVictim.operateAccepted(kind, clusterId));
    }
    const gate = await holdAt(stack.simulator, jobId, step);
    await page.goto(`/clusters/${clusterId}`);
    const { expectNotReloaded } = await markLoaded(page);
    await gate.reached(longMs);
    await expect(page.getByRole('region', { name: `Held by ${kind}` })).toContainText('server-2');

    const killedAt = await killNow(records, serverAt(victim));
    await gate.remove();
    const recovered = await untilRecovered(records, jobId, killedAt, boundMs() + longMs);
    expect(recovered.to).toBe(becomes);
    expect(recovered.recoveredMs).toBeLessThan(boundMs());
    const job = await records.job(jobId);
    expect({ status: job.status, reason: job.reason }).toEqual({ status: 'failed', reason: 'server-departed' });

    await records.untilRests(clusterId, rests, longMs);
    for (const label of path) await expect(stateOf(page, label)).toBeVisible({ timeout: longMs });
    if (rests === 'Alert') {
      const why = page.getByRole('region', { name: /^Why Alert/ });
      await expect(why).toContainText(/server/i);
      await why.getByRole('link', { name: 'Start' }).click();
      await page.getByRole('button', { name: `Start ${name}` }).click();
      await expect(stateOf(page, 'Running')).toBeVisible({ timeout: longMs });
    }
    await expectNotReloaded();
  });
}

test('SIGKILL: the page of a server that is killed and comes back on its port follows by itself', async ({
  browser,
  records,
  allowConsoleErrors,
}) => {
  test.setTimeout(180_000);
  allowConsoleErrors(deadServer);
  const server = serverAt(2);
  const api = apiOf(2, records);
  const { clusterId } = await apiOf(0, records).createAccepted(freshName('own'));
  await records.untilRests(clusterId, 'Running', longMs);
  const context = await signedIn(browser, 'operator', server.url);
  const page = await context.newPage();
  await page.goto(`/clusters/${clusterId}`);
  const { expectNotReloaded } = await markLoaded(page);
  await expect(page.getByRole('button', { name: 'Live updates: Live' })).toBeVisible();

  // The server that the page hears from also runs the stop.
  const { jobId } = await api.operateAccepted('stop', clusterId);
  const gate = await holdAt(stack.simulator, jobId, 'stop-node');
  await gate.reached(longMs);
  await expect(stateOf(page, 'Stopping')).toBeVisible();
  await killNow(records, server);
  await gate.remove();
  await expect(banner(page)).toBeVisible({ timeout: longMs });
  await expect(stateOf(page, 'Stopping')).toBeVisible();
  await records.untilRests(clusterId, 'Running', longMs);
  await server.restart();
  await expect(stateOf(page, 'Running')).toBeVisible({ timeout: longMs });
  await expect(banner(page)).toBeHidden({ timeout: longMs });
  await expectNotReloaded();
  await context.close();
});

test('SIGKILL: the page of a server that stays dead shows what it last knew, and another server shows what became of it', async ({
  page,
  browser,
  records,
}) => {
  test.setTimeout(180_000);
  const server = serverAt(2);
  const { clusterId, jobId } = await apiOf(2, records).createAccepted(freshName('dead'));
  const gate = await holdAt(stack.simulator, jobId, 'detach-iso');
  const context = await signedIn(browser, 'operator', server.url);
  const own = await context.newPage();
  await own.goto(`/clusters/${clusterId}`);
  await expect(stateOf(own, 'Starting')).toBeVisible();
  await page.goto(`/clusters/${clusterId}`);
  await gate.reached(longMs);
  await killNow(records, server);
  await gate.remove();
  await expect(stateOf(page, 'Running')).toBeVisible({ timeout: longMs });
  await expect(banner(own)).toBeVisible({ timeout: longMs });
  await expect(banner(own)).toContainText('showing');
  await expect(stateOf(own, 'Starting')).toBeVisible();
  // What is asked there is never reported as done.
  await own.getByRole('button', { name: /^Operations of/ }).click();
  await expect(own.getByRole('menu')).toBeVisible();
  await context.close();
});

test('SIGKILL: Recovery shows beforehand what a pass would do, does it by hand, and keeps it', async ({
  page,
  records,
}) => {
  test.setTimeout(180_000);
  const name = freshName('hand');
  const { clusterId, jobId } = await apiOf(victim, records).createAccepted(name);
  const gate = await holdAt(stack.simulator, jobId, 'build-node control-1');
  await gate.reached(longMs);
  await stack.cron.pause();
  try {
    await killNow(records, serverAt(victim));
    await gate.remove();
    await records.until('its lease is over', async () => {
      const [row] = await records.sql`
        select 1 from jobs j join servers s on s.id = j.server_id where j.id = ${jobId} and s.lease_until < now()`;
      return row;
    });
    await page.goto('/recovery');
    const decided = page.getByRole('row', { name: new RegExp(name) });
    // All of it by keyboard.
    await tabTo(page, /^Preview/);
    await expect(async () => {
      await page.keyboard.press('Enter');
      await expect(decided).toContainText('JOB_ON_DEAD_SERVER', { timeout: 2_000 });
    }).toPass({ timeout: longMs });
    await expect(decided).toContainText('Recover');
    await expect(decided).toContainText('Alert');
    const before = await records.cluster(clusterId);
    expect({ state: before.state, owner: before.operationId }).toEqual({ state: 'Starting', owner: jobId });

    await tabTo(page, /^Recover \d+ selected$/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(`${name}becomes Alert`);
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await tabTo(page, /^Recover \d+$/);
    await page.keyboard.press('Enter');
    await expect(decided).toContainText('Done');
    expect((await records.cluster(clusterId)).state).toBe('Alert');
  } finally {
    await stack.cron.resume();
  }
  const passes = page.getByRole('table', { name: 'Passes, newest first' });
  await page
    .getByRole('button', { name: /new/ })
    .click()
    .catch(() => undefined);
  await passes
    .getByRole('row', { name: /Recovered.*Olga/ })
    .first()
    .getByRole('rowheader')
    .getByRole('link')
    .click();
  await expect(page).toHaveURL(/\/recovery\/runs\/\d+$/);
  await expect(page.getByRole('row', { name: new RegExp(`${name}.*JOB_ON_DEAD_SERVER`) })).toBeVisible();
});
