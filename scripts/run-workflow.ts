// Runs the steps of a CI job on this machine in order, and stops at the first failure: node
// scripts/run-workflow.ts <workflow> <job> [--list] [--without=<part of a step's name>]…
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  if?: string;
  env?: Record<string, string>;
}
/** A job of a workflow file, as far as it is read. */
export interface Job {
  env?: Record<string, string>;
  strategy?: { matrix: Record<string, unknown[]> };
  steps: Step[];
}

/** A step with all expressions filled in. */
export interface PlannedStep {
  title: string;
  /** Null if the machine must provide it already, as for `uses: actions/setup-node`. */
  script: string | null;
  env: Record<string, string>;
}

const systems: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'Linux',
  darwin: 'macOS',
  win32: 'Windows',
};

/** Returns the steps for this system with the values of `${{ … }}` filled in; secrets are empty. */
export function planSteps(job: Job, system = systems[process.platform] ?? ''): PlannedStep[] {
  const values: Record<string, string> = { 'runner.os': system };
  for (const [name, value] of Object.entries(matrixFor(job, system)))
    values[`matrix.${name}`] = String(value);
  const fill = (text: string): string =>
    text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => valueOf(expression, values));
  const filled = (env: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(env).map(([name, text]) => [name, fill(text)]));
  return job.steps
    .filter((step) => step.if === undefined || valueOf(step.if, values) !== '')
    .map(({ name, uses, run, env }) => ({
      title: name ?? uses ?? run?.split('\n')[0] ?? '',
      script: run === undefined ? null : fill(run),
      env: { ...filled(job.env), ...filled(env) },
    }));
}

/** Returns the matrix entry whose machine has this system. */
function matrixFor({ strategy }: Job, system: string): Record<string, unknown> {
  const begins = system === 'Linux' ? 'ubuntu' : system.toLowerCase();
  const { include = [], os = [] } = strategy?.matrix ?? {};
  const entries = [...(include as { os?: unknown }[]), ...os.map((one) => ({ os: one }))];
  return entries.find((entry) => String(entry.os).startsWith(begins)) ?? {};
}

/**
 * Evaluates the expressions that our workflows use: names, strings, `==`, `&&` and `||`. Unknown
 * names are empty.
 */
function valueOf(expression: string, values: Record<string, string>): string {
  const atom = (text: string): string => /^'(.*)'$/.exec(text)?.[1] ?? values[text] ?? '';
  const compared = (text: string): string => {
    const [left = '', right] = text.split('==').map((part) => atom(part.trim()));
    return right === undefined ? left : left === right ? 'true' : '';
  };
  const all = (text: string): string =>
    text.split('&&').reduce((before, part) => before && compared(part.trim()), 'true');
  return expression.split('||').reduce((before, part) => before || all(part), '');
}

/** Root does not need sudo, which may not be installed. */
const asRoot = 'sudo() { while [[ ${1-} == -* ]]; do shift; done; "$@"; }\n';

/**
 * Runs the steps. Later steps see the environment that earlier ones wrote. Returns the first exit
 * code that is not 0.
 */
export function runSteps(steps: readonly PlannedStep[], print: (line: string) => void): number {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-'));
  const file = join(folder, 'env');
  writeFileSync(file, '');
  try {
    for (const { title, script, env } of steps) {
      print(script === null ? `Taken as done: ${title}` : `Step: ${title}`);
      if (script === null) continue;
      const written = readFileSync(file, 'utf8').matchAll(/^(\w+)=(.*)$/gm);
      const earlier = Object.fromEntries(
        [...written].map(([, name = '', value = '']) => [name, value]),
      );
      const more = { GITHUB_ENV: file, RUNNER_OS: systems[process.platform] ?? '' };
      const root = process.getuid?.() === 0 ? asRoot : '';
      const { status } = spawnSync('bash', ['-eo', 'pipefail', '-c', root + script], {
        stdio: 'inherit',
        env: { ...process.env, ...more, ...env, ...earlier },
      });
      if (status === 0) continue;
      print(`The step ended with ${String(status)}: ${title}`);
      return status ?? 1;
    }
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const names = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
  const without = process.argv.flatMap((arg) => /^--without=(.+)$/.exec(arg)?.[1] ?? []);
  const [workflow = '', id = ''] = names;
  const path = join(import.meta.dirname, '..', '.github', 'workflows', `${workflow}.yml`);
  const { jobs } = parse(readFileSync(path, 'utf8')) as { jobs: Record<string, Job> };
  const job = jobs[id];
  if (!job) throw new Error(`${workflow}.yml has these jobs: ${Object.keys(jobs).join(', ')}.`);
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const steps = planSteps(job).filter(({ title }) => !without.some((part) => title.includes(part)));
  if (process.argv.includes('--list'))
    for (const { title, script } of steps)
      print(`${script === null ? '(has to be there) ' : ''}${title}`);
  else process.exitCode = runSteps(steps, print);
}
