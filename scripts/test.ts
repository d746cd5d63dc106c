import { globSync } from 'node:fs';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import type { Missing } from './system-packages.ts';
import { spawnPassing } from './spawn.ts';
import { deleteResults, resultFiles, summaryOfResults } from './test-results.ts';

/** Test files by the dependency that they need; they are skipped if it is missing. */
const needs: Record<Missing, string[]> = {
  java: ['**/*.java.*', '**/*.h2.*'],
  junit: ['**/*.junit.*'],
  h2: ['**/*.h2.*'],
  chromium: ['**/*.page.*'],
  // The pages work without it.
  chineseFont: [],
  display: ['**/*.display.*'],
  servers: ['**/*.servers.*'],
  sandbox: ['**/*.sandbox.*'],
  git: ['**/*.git.*'],
  ssh: ['**/*.ssh.*'],
  packaging: ['**/*.packages.*'],
};

/** Environment variable with comma-separated patterns of page tests to skip. */
export const excludedVariable = 'PAGE_TESTS_LEFT_OUT';

/**
 * Runs Vitest, then Playwright for the pages of the shell and of plugins. `args` are path filters,
 * as for Vitest, and its options.
 */
export async function runTests(args: string[], missing: Missing[]): Promise<number> {
  const options = args.filter((arg) => arg.startsWith('-'));
  const filters = args.filter((arg) => !arg.startsWith('-'));
  const ofFiles = filters.filter((filter) => !isPageTest(filter));
  const ofPages = filters.filter((filter) => isPageTest(filter) || !filter.endsWith('.ts'));
  const unknown = withoutFile(filters);
  if (unknown.length > 0) {
    process.stderr.write(
      `No test file has ${unknown.map((filter) => `"${filter}"`).join(' or ')} in its path. Give parts of paths, and options with their values as one word (--testNamePattern=words).\n`,
    );
    return 1;
  }
  await deleteResults();
  const code = await runBoth({ filters, ofFiles, ofPages, options, missing });
  process.stdout.write(await summaryOfResults());
  return code;
}

interface Run {
  filters: string[];
  ofFiles: string[];
  ofPages: string[];
  options: string[];
  missing: Missing[];
}

async function runBoth({ filters, ofFiles, ofPages, options, missing }: Run): Promise<number> {
  const patterns = missing.flatMap((piece) => needs[piece]);
  let code = 0;
  if (filters.length === 0 || ofFiles.length > 0)
    code = await runVitest(ofFiles, options, patterns);
  if (missing.includes('chromium')) return code;
  if (filters.length === 0 || ofPages.length > 0)
    code = (await runPlaywright(ofPages, patterns)) || code;
  return code;
}

/**
 * Returns the filters that match no test file, including files that are skipped on this machine.
 */
export function withoutFile(filters: readonly string[]): string[] {
  const folders = 'service,main,preload,plugin-kit,plugins,renderer-shell,e2e,scripts,bench';
  const files = globSync(`{${folders}}/**/*.test.{ts,tsx}`, {
    exclude: (path) => basename(path) === 'node_modules',
  });
  const paths = files.map(slashed);
  return filters.filter((filter) => {
    const [part = ''] = belowRoot(filter).split(/:\d+$/);
    return !paths.some((path) => path.includes(part));
  });
}

/** A filter may be an absolute path. */
function belowRoot(filter: string): string {
  const path = isAbsolute(filter) ? relative('', filter) : filter;
  return slashed(path).replace(/^\.\//, '');
}

const slashed = (path: string): string => path.replaceAll(sep, '/');

/** See `playwright.config.ts`. */
const isPageTest = (filter: string): boolean =>
  /^(?:\.\/)?(?:e2e|renderer-shell|plugins)\/.*\.page\.test\.ts$/.test(filter);

const reporters = [
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${resultFiles.vitest}`,
];

function runVitest(
  filters: string[],
  options: string[],
  excludedPatterns: string[],
): Promise<number> {
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const excluded = excludedPatterns.flatMap((pattern) => ['--exclude', pattern]);
  const args = [
    vitest,
    'run',
    ...filters,
    ...options,
    ...excluded,
    ...reporters,
    '--passWithNoTests',
  ];
  return spawnPassing(process.execPath, args);
}

function runPlaywright(filters: string[], excludedPatterns: string[]): Promise<number> {
  const playwright = join('node_modules', '@playwright', 'test', 'cli.js');
  // Patterns match absolute paths; the project's folder is not part of a filter.
  const root = process.cwd().replaceAll(/[^\w\s]/g, '\\$&');
  const names = filters.map((filter) => {
    const pattern = belowRoot(filter).replaceAll('.', '\\.').replaceAll('/', '[\\\\/]');
    return `^${root}[\\\\/].*${pattern}`;
  });
  process.env[excludedVariable] = excludedPatterns.join(',');
  // Node strips TypeScript types itself.
  process.env['PW_DISABLE_TS_ESM'] = '1';
  return spawnPassing(process.execPath, [playwright, 'test', ...names, '--pass-with-no-tests']);
}
