/** The whole job of an admin in the browser: create, watch, stop, start, delete. Nothing is loaded again by hand. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, freshName, markLoaded, stack, tabTo, test } from './support/fixtures';

const longMs = 60_000;

const stateOf = (page: Page, label: string) =>
  page.getByRole('main').locator('h1 ~ *').getByText(label, { exact: true });
const step = (page: Page, name: string | RegExp) =>
  page.getByRole('table', { name: 'Steps of this job' }).getByRole('row', { name });

async function idOf(page: Page): Promise<string> {
  await expect(page).toHaveURL(/\/clusters\/[0-9a-f-]{36}$/);
  return new URL(page.url()).pathname.split('/')[2] ?? '';
}

test('create, watch every step, stop, start and delete a cluster of 1 control node and 2 workers, without a reload', async ({
  page,
  records,
}) => {
  test.setTimeout(180_000);
  const name = freshName('main');
  await page.goto('/');
  const { expectNotReloaded } = await markLoaded(page);
  await page.getByRole('link', { name: 'Clusters' }).first().click();
  await page
    .getByRole('link', { name: /^(Create|New)\b.*cluster/i })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Create a cluster' })).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await expect(page.getByLabel('Control nodes', { exact: true })).toHaveValue('1');
  await expect(page.getByLabel('Workers', { exact: true })).toHaveValue('2');
  // The first machine stands still at the cloud until the page has been looked at.
  const gate = await stack.simulator.addGate({ command: 'deployVirtualMachine', vm: `${name}-*` });
  await page.getByRole('button', { name: 'Create and start' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const id = await idOf(page);
  await expect(stateOf(page, 'Starting')).toBeVisible();
  const held = page.getByRole('region', { name: 'Held by create' });
  await expect(held).toContainText('Build control-1', { timeout: longMs });
  await expect(held).toContainText(/becomes Running/);

  await held.getByRole('link', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Create of ${name}` })).toBeVisible();
  await expect(step(page, /Network.*Done/)).toBeVisible();
  await expect(step(page, /Build control-1.*Running/)).toBeVisible();
  await gate.release();
  for (const label of [
    'Build control-1',
    'Start worker-1',
    'Start worker-2',
    'Wait until every node is Ready',
    'Administrator access',
  ]) {
    await expect(step(page, new RegExp(`${label}.*Done`))).toBeVisible({ timeout: longMs });
  }
  await expect(page.getByText('Succeeded', { exact: true }).first()).toBeVisible({ timeout: longMs });
  await gate.remove();

  await page.getByRole('heading', { level: 1 }).getByRole('link', { name }).click();
  await expect(stateOf(page, 'Running')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Nodes' }).getByRole('row')).toHaveCount(4);

  await page.getByRole('link', { name: 'Stop', exact: true }).click();
  const stopGate = await stack.simulator.addGate({ command: 'stopVirtualMachine', vm: `${name}-*` });
  await page.getByRole('button', { name: `Stop ${name}` }).click();
  await expect(stateOf(page, 'Stopping')).toBeVisible();
  // Before the click: what is off says why, and can be reached.
  const scale = page.getByRole('link', { name: 'Scale', exact: true });
  await expect(scale).toHaveAttribute('aria-disabled', 'true');
  await expect(scale).toHaveAccessibleDescription(/Held: Stop by Olga/);
  await stopGate.release();
  await expect(stateOf(page, 'Stopped')).toBeVisible({ timeout: longMs });
  await stopGate.remove();

  await page.getByRole('link', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: `Start ${name}` }).click();
  await expect(stateOf(page, 'Running')).toBeVisible({ timeout: longMs });

  await page.getByRole('button', { name: `Operations of ${name}` }).click();
  await page.getByRole('menuitem', { name: /^Delete/ }).click();
  const erase = page.getByRole('button', { name: `Delete ${name}` });
  await expect(erase).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel(`Type ${name} to confirm`).fill(name);
  await erase.click();
  await expect(stateOf(page, 'Destroyed')).toBeVisible({ timeout: longMs });
  await expectNotReloaded();

  const { state, operationId } = await records.cluster(id);
  expect({ state, operationId }).toEqual({ state: 'Destroyed', operationId: null });
  const left = (await stack.simulator.state()) as { machines: { name: string; state: string }[] };
  expect(
    left.machines.filter((machine) => machine.name.startsWith(`${name}-`) && machine.state !== 'Expunging'),
  ).toEqual([]);
});

test('a stop and a start by keyboard alone', async ({ page, api, records }) => {
  test.setTimeout(120_000);
  const name = freshName('keys');
  const { clusterId } = await api.createAccepted(name);
  await records.untilRests(clusterId, 'Running', longMs);
  await page.goto(`/clusters/${clusterId}`);
  await expect(stateOf(page, 'Running')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, 'Stop');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: `Stop ${name}` })).toBeVisible();
  await tabTo(page, /^Reason/);
  await page.keyboard.type('by keyboard');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
  await expect(stateOf(page, 'Stopped')).toBeVisible({ timeout: longMs });
  await tabTo(page, 'Start');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: `Start ${name}` })).toBeVisible();
  await tabTo(page, `Start ${name}`);
  await page.keyboard.press('Enter');
  await expect(stateOf(page, 'Running')).toBeVisible({ timeout: longMs });
  const [start, stop] = await records.jobsOf(clusterId);
  expect([stop?.kind, stop?.status, start?.kind, start?.status]).toEqual(['stop', 'succeeded', 'start', 'succeeded']);
});

test('the kubeconfig of a running cluster can be downloaded', async ({ page, api, records }) => {
  test.setTimeout(90_000);
  const { clusterId } = await api.createAccepted(freshName('kube'));
  await records.untilRests(clusterId, 'Running', longMs);
  await page.goto(`/clusters/${clusterId}`);
  const began = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Kubeconfig', exact: true }).click();
  const file = readFileSync(await (await began).path(), 'utf8');
  expect(file).toContain('kind: Config');
  expect(file).toMatch(/server: https:\/\//);
  const asked = await records.events(clusterId);
  expect(asked.filter(({ type }) => type.includes('kubeconfig'))).toHaveLength(1);
});

test.describe('a viewer', () => {
  test.use({ as: 'viewer' });

  test('sees everything, and is told which role each act needs', async ({ page, api, records }) => {
    test.setTimeout(90_000);
    const { clusterId } = await api.createAccepted(freshName('look'), { startNow: false });
    await page.goto(`/clusters/${clusterId}`);
    const acts = [
      page.getByRole('link', { name: 'Start', exact: true }),
      page.getByRole('button', { name: 'Kubeconfig', exact: true }),
    ];
    for (const act of acts) {
      await expect(act).toHaveAttribute('aria-disabled', 'true');
      await expect(act).toHaveAccessibleDescription(/Needs the role operator/);
      await act.focus();
      await expect(act).toBeFocused();
    }
    const download = await page.request.get(`/api/v1/clusters/${clusterId}/kubeconfig`);
    expect(download.status()).toBe(403);
    const before = (await records.jobsOf(clusterId)).length;
    const asked = await page.request.post('/api/v1/operations', {
      data: { kind: 'start', clusterId, input: {} },
      headers: { origin: new URL(page.url()).origin },
    });
    expect(asked.status()).toBe(403);
    expect(await records.jobsOf(clusterId)).toHaveLength(before);
  });
});

test('a race that is lost after the click leaves a receipt that names the winner, and nothing else', async ({
  page,
  api,
  records,
}) => {
  test.setTimeout(90_000);
  const name = freshName('race');
  const { clusterId } = await api.createAccepted(name);
  await records.untilRests(clusterId, 'Running', longMs);
  await page.goto(`/clusters/${clusterId}/do/stop`);
  const submit = page.getByRole('button', { name: `Stop ${name}` });
  await expect(submit).toBeVisible();
  await expect(submit).not.toHaveAttribute('aria-disabled', 'true');
  // The click is on its way while another admin's scale enters: the browser's request is held back until then.
  const gate = await stack.simulator.addGate({ step: '*', vm: `${name}-*` });
  let arrive = () => {};
  let letGo = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const mayGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(
    (url) => url.pathname.endsWith('/do/stop'),
    async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      arrive();
      await mayGo;
      await route.continue();
    },
  );
  await submit.click();
  await arrived;
  const { jobId } = await api.operateAccepted('scale', clusterId, { workerCount: 2 });
  letGo();
  const receipt = page.getByRole('main').getByRole('alert');
  await expect(receipt).toBeFocused();
  await expect(receipt).toContainText('Scale by');
  await expect(receipt.getByRole('link', { name: /^Scale by/ })).toHaveAttribute('href', `/jobs/${jobId}`);
  expect((await records.jobsOf(clusterId)).map(({ kind }) => kind)).toEqual(['scale', 'create']);
  const refused = (await records.events(clusterId)).filter(({ type }) => type === 'operation.refused');
  expect(refused).toHaveLength(1);
  await gate.remove();
  await records.untilRests(clusterId, 'Running', longMs);
});
