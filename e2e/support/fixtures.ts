/** What every spec imports instead of Playwright's own `test`: people, the database, the API, and pages that fail on console errors. */
import AxeBuilder from '@axe-core/playwright';
import { type Browser, type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import type { Role } from '@/domain/actor';
import { type Api, createApi } from './api';
import { people } from './people';
import { openRecords, type Records } from './records';
import { type StackServer, stack } from './stack';

interface Fixtures {
  /** Who is signed in in the browser; null: nobody. `test.use({ as: 'viewer' })`. */
  as: Role | null;
  /** Call it for what a test provokes on purpose: a console message or page error that fits does not fail the test. */
  allowConsoleErrors: (pattern: RegExp) => void;
  /** The context watches every page that the test opens. */
  consoleWatcher: undefined;
  /** The operator's API on the first server. */
  api: Api;
}

interface WorkerFixtures {
  records: Records;
}

/** Answers that a test asks for (401, 404, 409 …) are also logged by the browser; the test itself looks at them. */
const alwaysAllowed = [/Failed to load resource: the server responded with a status of 4\d\d/];
/** What a browser says of a server that was killed. */
export const deadServer =
  /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED|Failed to fetch|503/;

const allowedOf = new WeakMap<object, RegExp[]>();

export const test = base.extend<Fixtures, WorkerFixtures>({
  as: ['operator', { option: true }],
  storageState: async ({ as }, use) => use(as === null ? undefined : people[as].storageState),
  // Playwright reads the names of fixtures from this pattern.
  baseURL: async ({ baseURL }, use) => use(baseURL ?? stack.servers[0]?.url),
  allowConsoleErrors: async ({ context }, use) => {
    const allowed: RegExp[] = [];
    allowedOf.set(context, allowed);
    await use((pattern) => void allowed.push(pattern));
  },
  consoleWatcher: [
    async ({ context, allowConsoleErrors }, use) => {
      expect(allowConsoleErrors).toBeDefined();
      const seen: string[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error') seen.push(`console: ${message.text()} (${message.location().url})`);
      });
      context.on('weberror', (error) => seen.push(`page: ${error.error().message}`));
      await use(undefined);
      const allowed = [...alwaysAllowed, ...(allowedOf.get(context) ?? [])];
      expect(
        seen.filter((text) => !allowed.some((pattern) => pattern.test(text))),
        'errors in the browser',
      ).toEqual([]);
    },
    { auto: true },
  ],
  records: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
    async ({}, use) => {
      const records = openRecords(stack.databaseUrl);
      await use(records);
      await records.close();
    },
    { scope: 'worker' },
  ],
  api: async ({ records }, use) => use(apiOf(0, records)),
});

export { expect, stack };

/** The nth server, from 0. The first is everybody's; only `*.kill.spec.ts` may hurt the others. */
export function serverAt(index: number): StackServer {
  const server = stack.servers[index];
  if (server === undefined) throw new Error(`there is no server ${index}`);
  return server;
}

/** The API of the nth server (from 0). */
export function apiOf(server: number, records: Records, role: Role = 'operator'): Api {
  const { url } = serverAt(server);
  return createApi({ url, token: stack.tokens[role], records });
}

/** A second browser, at another server or as somebody else. */
export function signedIn(browser: Browser, role: Role, url: string): Promise<BrowserContext> {
  return browser.newContext({ baseURL: url, storageState: people[role].storageState });
}

let counted = 0;

/** A name that no other cluster has. */
export function freshName(what: string): string {
  counted += 1;
  return `${what}-${process.pid.toString(36)}-${counted}-${Date.now().toString(36).slice(-4)}`;
}

/** Marks the page as it is loaded now; the mark is gone as soon as anything loads it anew. */
export async function markLoaded(page: Page): Promise<{ expectNotReloaded: () => Promise<void> }> {
  await page.evaluate(() => Object.assign(window, { loadedOnce: true }));
  return {
    expectNotReloaded: async () =>
      expect(await page.evaluate(() => 'loadedOnce' in window), 'the page was never loaded again').toBe(true),
  };
}

/** Walks with Tab until the element of this name has the focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const fits = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null) return '';
      const labels = (element as HTMLInputElement).labels;
      return (labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent ?? '').trim();
    });
    if (fits(focused)) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

/** Fails with rule, element and advice for each violation of WCAG 2.2 AA on the page as it is now. */
export async function expectNoAxeViolations(page: Page, options: { within?: string } = {}): Promise<void> {
  const builder = new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);
  const { violations } = await (options.within === undefined ? builder : builder.include(options.within)).analyze();
  const told = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html.slice(0, 200)).join('\n  ')}`,
  );
  expect(told).toEqual([]);
}
