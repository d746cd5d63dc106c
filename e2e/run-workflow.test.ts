import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { type Job, planSteps, runSteps } from '../scripts/run-workflow.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-workflow-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const jobOf = (workflow: string, id: string): Job => {
  const path = join(import.meta.dirname, '..', '.github', 'workflows', `${workflow}.yml`);
  return (parse(readFileSync(path, 'utf8')) as { jobs: Record<string, Job> }).jobs[id]!;
};
const scripts = (...where: Parameters<typeof planSteps>) =>
  planSteps(...where).flatMap(({ script }) => script ?? []);

it('the job for Linux contains everything that a clean machine has to pass', () => {
  expect(scripts(jobOf('ci', 'linux'), 'Linux')).toEqual([
    'sudo --preserve-env=CI,PATH bash .ci/run',
  ]);
});

it('each system takes its own steps of a job, with the values of its machine', () => {
  const desktop = jobOf('desktop', 'electron');
  const [linux, windows, mac] = ['Linux', 'Windows', 'macOS'].map((system) =>
    scripts(desktop, system).join('\n'),
  );
  expect(linux).toContain('for kind in deb zip appimage rpm; do');
  expect(linux).toContain('lintian --fail-on error');
  expect(windows).toContain('node_modules/electron/dist/electron.exe');
  expect(mac).toContain('unpacked/Plugin Host.app');
  for (const [other, word] of [
    [linux, 'unzip'],
    [windows, 'lintian'],
    [mac, 'xvfb-run -a node'],
  ])
    expect(other).not.toContain(word);
  const secrets = planSteps(desktop, 'macOS').find(({ title }) => title === 'Packages')?.env ?? {};
  expect(secrets).toMatchObject({ CSC_LINK: '', WIN_CSC_LINK: '', CI: 'false' });
});

it.each([
  ['v4.0.0-beta.4', '--prerelease'],
  ['v4.0.0', '--latest'],
])('the tag %s becomes a release that is %s, and lists what is untested', (tag, kind) => {
  const file = join(folder, 'asked');
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  writeFileSync(join(programs, 'gh'), `#!/bin/sh\nprintf '%s\\n' "$@" >'${file}'\n`, {
    mode: 0o755,
  });
  vi.stubEnv('PATH', `${programs}:${process.env['PATH'] ?? ''}`);
  vi.stubEnv('GITHUB_REF_NAME', tag);
  vi.stubEnv('GITHUB_REPOSITORY', 'acme/host');
  const release = planSteps(jobOf('packages', 'release')).filter(
    ({ title }) => title === 'Release',
  );
  expect(runSteps(release, () => undefined)).toBe(0);
  vi.unstubAllEnvs();
  const asked = readFileSync(file, 'utf8').split('\n');
  expect(asked.slice(0, 3)).toEqual(['release', 'create', tag]);
  expect(asked.filter((arg) => ['--prerelease', '--latest'].includes(arg))).toEqual([kind]);
  expect(asked).toContain('The packages with Electron are untested on the real binary.');
});

it('steps run in order, later ones see what earlier ones wrote, and the first failure stops the job', () => {
  const file = join(folder, 'done');
  const job: Job = {
    env: { PLACE: file },
    steps: [
      { uses: 'actions/checkout@v4' },
      { run: 'echo "LATER=one" >> "$GITHUB_ENV"' },
      { run: 'echo never >> "$PLACE"', if: "runner.os == 'Plan 9'" },
      {
        name: 'Write',
        run: 'echo "$LATER ${{ matrix.word }} $OWN" >> "$PLACE"',
        env: { OWN: 'own' },
      },
      { run: 'false\necho never >> "$PLACE"' },
      { run: 'echo never >> "$PLACE"' },
    ],
    strategy: { matrix: { include: [{ os: 'ubuntu-24.04', word: 'two' }] } },
  };
  const printed: string[] = [];
  expect(runSteps(planSteps(job, 'Linux'), (line) => printed.push(line))).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe('one two own\n');
  expect(printed).toEqual([
    'Taken as done: actions/checkout@v4',
    'Step: echo "LATER=one" >> "$GITHUB_ENV"',
    'Step: Write',
    'Step: false',
    'The step ended with 1: false',
  ]);
});
