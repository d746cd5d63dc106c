import { join } from 'node:path';
import type { Missing } from './system-packages.ts';
import { spawnPassing } from './spawn.ts';

/** Tests that drive what is missing are named by their file name, and left out with it. */
const needs: Record<Missing, string[]> = {
  java: ['**/*.java.*', '**/*.h2.*'],
  h2: ['**/*.h2.*'],
  chromium: ['**/*.page.*'],
  // The pages work all the same.
  chineseFont: [],
  display: ['**/*.display.*'],
  servers: ['**/*.servers.*'],
  sandbox: ['**/*.sandbox.*'],
  git: ['**/*.git.*'],
  packaging: ['**/*.packages.*'],
};

export function runTests(args: string[], missing: Missing[]): Promise<number> {
  const excluded = missing.flatMap((piece) =>
    needs[piece].flatMap((pattern) => ['--exclude', pattern]),
  );
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  return spawnPassing(process.execPath, [vitest, ...args, ...excluded]);
}
