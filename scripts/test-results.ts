import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** JSON reports of Vitest and Playwright; older ones are deleted before a run. */
export const resultFiles = {
  vitest: join('artifacts', 'test-results', 'vitest.json'),
  playwright: join('artifacts', 'test-results', 'playwright.json'),
};

/** Results of one test file. */
export interface TestFile {
  /** Path relative to the project's root. */
  path: string;
  durationMs: number;
  failures: { test: string; error: string }[];
}

const slowestCount = 15;
const longestError = 4_000;

export async function deleteResults(): Promise<void> {
  for (const path of Object.values(resultFiles)) await rm(path, { force: true });
}

/**
 * Returns a summary for readers who see only the tail of the output: the slowest test files, then
 * every failed test with its error. Empty if neither runner wrote results.
 */
export async function summaryOfResults(): Promise<string> {
  const vitest = await readJson(resultFiles.vitest);
  const playwright = await readJson(resultFiles.playwright);
  const files = [
    ...(vitest === null ? [] : filesOfVitest(vitest)),
    ...(playwright === null ? [] : filesOfPlaywright(playwright)),
  ];
  return files.length === 0 ? '' : summaryOf(files);
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as unknown);
}

export function summaryOf(files: readonly TestFile[]): string {
  const slowest = files.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, slowestCount);
  const failures = files.flatMap(({ path, failures }) =>
    failures.map(({ test, error }) => `${path} > ${test}\n${indented(error)}\n`),
  );
  return [
    'Slowest test files',
    ...slowest.map(({ path, durationMs }) => `${seconds(durationMs)}  ${path}`),
    '',
    `Failed tests: ${failures.length}`,
    ...failures,
    '',
  ].join('\n');
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1).padStart(7)} s`;

const indented = (error: string): string =>
  stripVTControlCharacters(error).slice(0, longestError).replaceAll(/^/gm, '    ');

const vitestResults = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      /** Set for a file that could not be loaded. */
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** Parses the output of Vitest's `json` reporter. */
export function filesOfVitest(results: unknown): TestFile[] {
  return vitestResults.parse(results).testResults.map((file) => {
    const failures = file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        test: fullName,
        error: (failureMessages ?? []).join('\n'),
      }));
    if (file.status === 'failed' && (failures.length === 0 || file.message !== ''))
      failures.push({ test: 'the file itself', error: file.message });
    return {
      path: relative(process.cwd(), file.name),
      durationMs: file.endTime - file.startTime,
      failures,
    };
  });
}

const playwrightSpec = z.object({
  title: z.string(),
  ok: z.boolean(),
  tests: z.array(
    z.object({
      results: z.array(
        z.object({
          duration: z.number(),
          errors: z.array(z.object({ message: z.string().default('') })).default([]),
        }),
      ),
    }),
  ),
});
const playwrightSuite = z.object({
  title: z.string(),
  file: z.string(),
  specs: z.array(playwrightSpec),
  get suites() {
    return z.array(playwrightSuite).optional();
  },
});
const playwrightResults = z.object({
  suites: z.array(playwrightSuite),
  errors: z.array(z.object({ message: z.string().default('') })).default([]),
});

/** Parses the output of Playwright's `json` reporter. */
export function filesOfPlaywright(results: unknown): TestFile[] {
  const { suites, errors } = playwrightResults.parse(results);
  const files = suites.map((suite) => {
    const specs = specsOf(suite);
    return {
      path: suite.file,
      durationMs: specs
        .flatMap(({ tests }) => tests.flatMap((test) => test.results))
        .reduce((sum, { duration }) => sum + duration, 0),
      failures: specs
        .filter(({ ok }) => !ok)
        .map(({ title, tests }) => ({ test: title, error: errorsOf(tests) })),
    };
  });
  if (errors.length === 0) return files;
  const failures = errors.map(({ message }) => ({ test: 'the run itself', error: message }));
  return [...files, { path: 'playwright.config.ts', durationMs: 0, failures }];
}

type Spec = z.infer<typeof playwrightSpec>;

const specsOf = ({ specs, suites }: z.infer<typeof playwrightSuite>): Spec[] => [
  ...specs,
  ...(suites ?? []).flatMap((suite) =>
    specsOf(suite).map((spec) => ({ ...spec, title: `${suite.title} ${spec.title}` })),
  ),
];

const errorsOf = (tests: Spec['tests']): string =>
  tests
    .flatMap(({ results }) => results.flatMap(({ errors }) => errors))
    .map(({ message }) => message)
    .join('\n');
