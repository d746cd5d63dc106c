import { expect, it, vi } from 'vitest';
import { runTests, withoutFile } from './test.ts';

it('a test filter that matches no file is an error that names it', async () => {
  const stderrWrite = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const code = await runTests(['scripts/stale', 'scripts/stael.test.ts'], []);
  const [[text] = []] = stderrWrite.mock.calls;
  stderrWrite.mockRestore();
  expect(code).toBe(1);
  expect(text).toMatch(/^No test file has "scripts\/stael\.test\.ts" in its path\. /);
});

it('a filter of tests is a part of a path, a file with a line, or a whole path', () => {
  const fitting = ['stale', './scripts/stale.test.ts:5', import.meta.filename, '.java.', '.page.'];
  expect(withoutFile(fitting)).toEqual([]);
  // Filters that the npm tasks use.
  expect(withoutFile(['e2e', 'e2e/faults', 'package-kill', 'bash-judge'])).toEqual([]);
  expect(withoutFile(['no-such-test', 'node_modules'])).toEqual(['no-such-test', 'node_modules']);
});
