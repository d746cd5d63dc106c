import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { filesOfPlaywright, filesOfVitest, summaryOf } from './test-results.ts';

const root = join(import.meta.dirname, '..');
let folder: string;
beforeEach(async () => {
  // Inside the project, where both runners find their own modules.
  await mkdir(join(root, 'artifacts'), { recursive: true });
  folder = await mkdtemp(join(root, 'artifacts', 'of-results-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/**
 * Runs a test runner over `files` in the folder; returns its JSON report. Failed tests are
 * expected.
 */
async function resultsOf(
  files: Record<string, string>,
  args: string[],
  env: Record<string, string> = {},
): Promise<unknown> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await new Promise<void>((resolve) => {
    const options = { cwd: folder, env: { ...process.env, ...env } };
    execFile(process.execPath, args, options, () => resolve());
  });
  return JSON.parse(await readFile(join(folder, 'results.json'), 'utf8')) as unknown;
}

it('names what failed under Vitest with its error, and files that cannot be loaded', async () => {
  const results = await resultsOf(
    {
      'a.test.ts': `import { expect, it } from 'vitest';
it('adds', () => expect(1 + 1).toBe(3));
it('stays', () => expect(1).toBe(1));`,
      'b.test.ts': `throw new Error('The wheel is missing.');`,
      'vitest.config.ts': `export default { test: { include: ['*.test.ts'] } };`,
    },
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--reporter=json',
      '--outputFile.json=results.json',
    ],
  );
  const files = filesOfVitest(results);
  expect(files).toHaveLength(2);
  const summary = summaryOf(files);
  expect(summary).toContain('Failed tests: 2');
  expect(summary).toMatch(/a\.test\.ts > adds\n {4}AssertionError: expected 2 to be 3/);
  expect(summary).toMatch(/b\.test\.ts > the file itself\n {4}The wheel is missing\./);
  expect(summary).toMatch(/Slowest test files\n +\d+\.\d s {2}artifacts/);
});

it('names what failed under Playwright with its error', async () => {
  const results = await resultsOf(
    {
      'c.page.test.ts': `import { expect, test } from '@playwright/test';
test.describe('A page', () => {
  test('opens', () => { expect('shut').toBe('open'); });
  test('closes', () => { expect('shut').toBe('shut'); });
});`,
      'playwright.config.ts': `export default { testMatch: '*.page.test.ts', reporter: 'json', outputDir: './out' };`,
    },
    [join(root, 'node_modules', '@playwright', 'test', 'cli.js'), 'test'],
    { PW_DISABLE_TS_ESM: '1', PLAYWRIGHT_JSON_OUTPUT_NAME: join(folder, 'results.json') },
  );
  const summary = summaryOf(filesOfPlaywright(results));
  expect(summary).toContain('Failed tests: 1\n');
  expect(summary).toMatch(/c\.page\.test\.ts > A page opens\n {4}Error: .*\n(.*\n)*.*"shut"/);
});

it('lists the slowest files first, limited to a screen', () => {
  const files = Array.from({ length: 30 }, (_, at) => ({
    path: `${at}.test.ts`,
    durationMs: at * 1_000,
    failures: [],
  }));
  const lines = summaryOf(files).split('\n');
  expect(lines.slice(0, 2)).toEqual(['Slowest test files', '   29.0 s  29.test.ts']);
  expect(lines).toContain('Failed tests: 0');
  expect(lines.length).toBeLessThan(25);
});
