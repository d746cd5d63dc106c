import { defineConfig } from '@playwright/test';
import { excludedVariable } from './scripts/test.ts';
import { resultFiles } from './scripts/test-results.ts';

/** The tests that look at pages; `npm test` runs them after all others. */
export default defineConfig({
  testDir: '.',
  testMatch: '{e2e,renderer-shell,plugins}/**/*.page.test.ts',
  testIgnore: (process.env[excludedVariable] ?? '').split(',').filter(Boolean),
  outputDir: 'artifacts/page-tests',
  globalSetup: './e2e/page-tests.setup.config.ts',
  workers: 3,
  // For a machine that is slow and busy; where all is well, nothing waits for them.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  reporter: [
    ['list'],
    ['html', { open: 'never', outputFolder: 'artifacts/page-report' }],
    ['json', { outputFile: resultFiles.playwright }],
  ],
  use: { trace: 'retain-on-failure' },
});
