import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      '{service,main,preload,plugin-kit,plugins,renderer-shell,e2e,scripts,bench}/**/*.test.{ts,tsx}',
    ],
    // Playwright runs those.
    exclude: ['**/node_modules/**', '{e2e,renderer-shell,plugins}/**/*.page.test.ts'],
    globalSetup: ['service/testing/database-servers/run-servers.ts'],
    pool: 'forks',
    // More than two cores, since many tests wait for processes, servers and pages.
    maxWorkers: 3,
    // For a machine that is slow and busy; where all is well, nothing waits for them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
  },
});
