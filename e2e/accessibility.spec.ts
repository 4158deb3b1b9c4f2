/** WCAG 2.2 AA by axe on every page, form and open dialog, in both themes, for two roles; and nothing scrolls sideways on a phone. */
import type { Page } from '@playwright/test';
import type { Role } from '@/domain/actor';
import { apiOf, expect, expectNoAxeViolations, freshName, test } from './support/fixtures';
import type { Records } from './support/records';

const longMs = 60_000;

interface Place {
  readonly name: string;
  readonly path: string;
}

/** What there is to look at: a cluster that runs, one in Alert, and everything that became of both. */
async function places(records: Records, clusterId: string): Promise<Place[]> {
  const [job] = await records.jobsOf(clusterId);
  const [pass] = await records.sql<{ id: number }[]>`select id from passes order by id desc limit 1`;
  const [server] = await records.sql<{ id: string }[]>`select id from servers where state = 'up' limit 1`;
  const part = (name: string) => ({ name: `cluster, ${name}`, path: `/clusters/${clusterId}/${name}` });
  const form = (name: string) => ({ name: `form ${name}`, path: `/clusters/${clusterId}/do/${name}` });
  return [
    { name: 'overview', path: '/' },
    { name: 'clusters', path: '/clusters' },
    { name: 'create', path: '/clusters/new' },
    { name: 'cluster', path: `/clusters/${clusterId}` },
    ...['nodes', 'jobs', 'events', 'lifecycle', 'settings'].map(part),
    ...['start', 'stop', 'scale', 'autoscale', 'upgrade', 'add-nodes', 'remove-nodes', 'delete'].map(form),
    { name: 'jobs', path: '/jobs' },
    { name: 'job', path: `/jobs/${job?.id}` },
    { name: 'recovery', path: '/recovery' },
    { name: 'pass', path: `/recovery/runs/${pass?.id}` },
    { name: 'servers', path: '/servers' },
    { name: 'server', path: `/servers/${server?.id}` },
    { name: 'lifecycle', path: '/lifecycle' },
    { name: 'events', path: '/events' },
  ];
}

const adminPlaces: readonly Place[] = [
  { name: 'users', path: '/settings/users' },
  { name: 'tokens', path: '/settings/tokens' },
];

const desk = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

const inTheme = (page: Page, colorScheme: 'light' | 'dark') =>
  page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });

async function open(page: Page, { path }: Place): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { wide, by } = await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isOver = (element: Element) => element.getBoundingClientRect().right > width + 1;
    const over = [...document.querySelectorAll('main *')].filter(isOver);
    return {
      wide: document.documentElement.scrollWidth - width,
      by: over.slice(0, 3).map((element) => element.outerHTML.slice(0, 120)),
    };
  });
  expect(wide, `pixels too wide, by ${by.join('\n')}`).toBeLessThanOrEqual(0);
}

let clusterId: string;

test.beforeAll(async ({ records }) => {
  test.setTimeout(120_000);
  ({ clusterId } = await apiOf(0, records).createAccepted(freshName('axe')));
  await records.untilRests(clusterId, 'Running', longMs);
});

for (const role of ['admin', 'viewer'] as const satisfies readonly Role[]) {
  test.describe(`as ${role}`, () => {
    test.use({ as: role });

    test('no page has a barrier in either theme, or scrolls sideways at 390 px', async ({ page, records }) => {
      test.setTimeout(240_000);
      const all = [...(await places(records, clusterId)), ...(role === 'admin' ? adminPlaces : [])];
      for (const place of all) {
        await test.step(place.name, async () => {
          await page.setViewportSize(desk);
          await inTheme(page, 'light');
          await open(page, place);
          await expect(page).toHaveTitle(/\S/);
          await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
          await expectNoAxeViolations(page);
          await inTheme(page, 'dark');
          await expect(page.locator('html')).toHaveClass(/dark/);
          await expectNoAxeViolations(page);
          await page.setViewportSize(phone);
          await expectNoSidewaysScroll(page);
        });
      }
    });
  });
}

test.describe('open dialogs and menus', () => {
  test.use({ as: 'admin' });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`have no barrier, keep the focus inside and give it back, ${colorScheme}`, async ({ page }) => {
      test.setTimeout(120_000);
      await inTheme(page, colorScheme);
      const dialogs = [
        { path: '/recovery', opener: 'Run recovery' },
        { path: '/settings/users', opener: 'Add account' },
        { path: '/settings/tokens', opener: 'Make token' },
      ];
      for (const { path, opener } of dialogs) {
        await test.step(opener, async () => {
          await open(page, { name: opener, path });
          const button = page.getByRole('button', { name: opener, exact: true }).first();
          await button.click();
          const dialog = page.getByRole('dialog');
          await expect(dialog).toBeVisible();
          await expectNoAxeViolations(page);
          await expect(dialog.locator(':focus')).toHaveCount(1);
          await page.keyboard.press('Escape');
          await expect(dialog).toBeHidden();
          await expect(button).toBeFocused();
        });
      }
      await test.step('operations menu', async () => {
        await open(page, { name: 'cluster', path: `/clusters/${clusterId}` });
        const button = page.getByRole('button', { name: /^Operations of/ });
        await button.click();
        await expect(page.getByRole('menuitem')).toHaveCount(8);
        await expectNoAxeViolations(page);
        await page.keyboard.press('Escape');
        await expect(button).toBeFocused();
      });
      await test.step('theme and live menus', async () => {
        for (const name of ['Theme', /^Live updates/]) {
          await page.getByRole('button', { name }).click();
          await expect(page.getByRole('menu')).toBeVisible();
          await expectNoAxeViolations(page);
          await page.keyboard.press('Escape');
          await expect(page.getByRole('menu')).toBeHidden();
        }
      });
    });
  }
});

test.describe('for visitors', () => {
  test.use({ as: null });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`sign-in and set-up have no barrier, ${colorScheme}`, async ({ page }) => {
      await inTheme(page, colorScheme);
      for (const path of ['/sign-in', '/setup']) {
        await open(page, { name: path, path });
        await expectNoAxeViolations(page);
      }
      await page.setViewportSize(phone);
      await expectNoSidewaysScroll(page);
    });
  }
});
