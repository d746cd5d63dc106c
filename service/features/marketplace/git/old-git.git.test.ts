import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findProgram } from '../../../platform/find-program.ts';
import { createProcesses, type Processes } from '../../../platform/processes.ts';
import { Git, noNetworkAccess } from './git.ts';

const path = process.env['PATH'] ?? '';
let processes: Processes;
let folder: string;

beforeAll(async () => {
  processes = createProcesses();
  folder = await mkdtemp(join(tmpdir(), 'old-git-'));
});
afterAll(async () => {
  process.env['PATH'] = path;
  await processes.close();
  await rm(folder, { recursive: true });
});

/** A git that reports that version and otherwise runs the real one. */
async function gitOf(version: string): Promise<void> {
  const real = (await findProgram('git', path)) as string;
  const bin = await mkdtemp(join(folder, 'bin-'));
  const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo 'git version ${version}'; else exec '${real}' "$@"; fi\n`;
  await writeFile(join(bin, 'git'), script);
  await chmod(join(bin, 'git'), 0o755);
  process.env['PATH'] = `${bin}${delimiter}${path}`;
}

it.each([
  ['2.34.1', false],
  ['1.99.0', false],
  ['', false],
  ['2.37.0', true],
  ['2.39.5 (Apple Git-154)', true],
  ['3.0.0', true],
])('git %j may access web addresses: %s', async (version, may) => {
  await gitOf(version);
  const git = new Git(processes);
  const run = { args: ['init', '--quiet', '--bare', '.'], repository: folder, limitMs: 20_000 };
  const { signal } = new AbortController();
  const named = { file: false, resolved: ['example.com:443:192.0.2.1'] };
  const asked = git.output({ ...run, signal, networkPolicy: named });
  if (may) await expect(asked).resolves.toEqual(Buffer.alloc(0));
  else await expect(asked).rejects.toMatchObject({ code: 'git_too_old' });
  await expect(git.output({ ...run, signal, networkPolicy: noNetworkAccess })).resolves.toEqual(
    Buffer.alloc(0),
  );
});
