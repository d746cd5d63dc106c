import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      '{service,main,preload,plugin-kit,plugins,renderer-shell,e2e,scripts,bench}/**/*.test.{ts,tsx}',
    ],
    globalSetup: ['service/testing/database-servers/run-servers.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000, interval: 20 } },
  },
});
