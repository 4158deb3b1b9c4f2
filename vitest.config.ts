import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    tsconfigPaths: true,
    alias: { 'server-only': join(import.meta.dirname, 'test/empty-module.ts') },
  },
  test: {
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: ['**/node_modules/**', '.next*/**', '.holdfast/**', 'e2e/**'],
    globalSetup: 'test/support/global-setup.ts',
    pool: 'forks',
    // Two files at once share one PostgreSQL; more gain nothing on two cores.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    teardownTimeout: 30_000,
  },
});
