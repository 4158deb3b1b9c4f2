import { defineConfig } from '@playwright/test';
import { chromiumFlags, findBrowser } from './e2e/support/chromium';

const minute = 60_000;
const browser = await findBrowser();

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './e2e/support/global-setup.ts',
  globalTimeout: Number(process.env['HOLDFAST_E2E_LIMIT_MS'] ?? 10 * minute),
  timeout: minute,
  expect: { timeout: 10_000 },
  // A test that passes the second time has still failed once: races are what this product is about.
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  use: {
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { args: chromiumFlags, ...browser },
  },
  projects: [
    { name: 'people', testMatch: '**/people.setup.ts' },
    { name: 'pages', testIgnore: '**/*.kill.spec.ts', dependencies: ['people'] },
    // These kill the second and third server; they take turns. The first one is everybody's and stays alive.
    { name: 'kills', testMatch: '**/*.kill.spec.ts', workers: 1, fullyParallel: false, dependencies: ['people'] },
  ],
  workers: 2,
  reporter: 'list',
});
