/** What every spec imports instead of Playwright's own `test`: pages that fail on console errors, and a look for barriers. */
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { stack } from './stack';

interface Fixtures {
  /** Call it for what a test provokes on purpose: a console message or page error that fits does not fail the test. */
  allowConsoleErrors: (pattern: RegExp) => void;
  /** The context watches every page that the test opens. */
  consoleWatcher: undefined;
}

/** Answers that a test asks for (401, 404, 409 …) are also logged by the browser; the test itself looks at them. */
const alwaysAllowed = [/Failed to load resource: the server responded with a status of 4\d\d/];

const allowedOf = new WeakMap<object, RegExp[]>();

export const test = base.extend<Fixtures>({
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
});

export { expect, stack };

/** Fails with rule, element and advice for each violation of WCAG 2.2 AA on the page as it is now. */
export async function expectNoAxeViolations(page: Page, options: { within?: string } = {}): Promise<void> {
  const builder = new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);
  const { violations } = await (options.within === undefined ? builder : builder.include(options.within)).analyze();
  const told = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html.slice(0, 200)).join('\n  ')}`,
  );
  expect(told).toEqual([]);
}
