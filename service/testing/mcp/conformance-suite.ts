import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const { resolve } = createRequire(import.meta.url);
const program = join(
  dirname(resolve('@modelcontextprotocol/conformance/package.json')),
  'dist',
  'index.js',
);
const loopbackOnly = join(import.meta.dirname, 'loopback-only.cjs');
const limitMs = 240_000;
const lastWithHandshake = '2025-11-25';

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

/** Failures by scenario: ids of its checks; empty if it reached no check. */
export type Failures = Record<string, string[]>;

/** Outcome of a run of the suite. */
export interface SuiteOutcome {
  scenarios: string[];
  failures: Failures;
  /** Output of the suite, to investigate failures. */
  output: string;
}

/**
 * Returns the arguments for complete runs: for the suite's current protocol revision, and for each
 * later one that it supports. A scenario differs between revisions.
 */
export async function suiteRuns(): Promise<string[][]> {
  const scenarios = await run(['list'], {});
  const found = new Set(scenarios.match(/\b\d{4}-\d\d-\d\d\b/g));
  const later = [...found].filter((revision) => revision > lastWithHandshake).toSorted();
  return [[], ...later.map((revision) => ['--spec-version', revision])];
}

/** Runs the official conformance suite; its servers listen on loopback only. */
export async function runSuite(
  args: string[],
  env: Record<string, string> = {},
): Promise<SuiteOutcome> {
  const directory = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const output = await run([...args, '-o', directory], env);
    const scenarios: string[] = [];
    const failures: Failures = {};
    for (const file of (await readdir(directory, { recursive: true })).toSorted()) {
      if (!file.endsWith('checks.json')) continue;
      const scenario = dirname(file)
        .replace(/^server-/, '')
        .replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
      const checks = JSON.parse(await readFile(join(directory, file), 'utf8')) as Check[];
      const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
      scenarios.push(scenario);
      if (failed.length > 0 || !checks.some(({ status }) => status === 'SUCCESS'))
        failures[scenario] = [...new Set(failed.map(({ id }) => id))].toSorted();
    }
    return { scenarios, failures, output };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The suite exits with an error if a check failed; its results contain the checks. */
function run(args: string[], env: Record<string, string>): Promise<string> {
  const { promise, resolve: done } = Promise.withResolvers<string>();
  execFile(
    process.execPath,
    ['--require', loopbackOnly, program, ...args],
    { env: { ...process.env, ...env }, timeout: limitMs, maxBuffer: 64 * 1024 ** 2 },
    (_, stdout, stderr) => done(stdout + stderr),
  );
  return promise;
}
