import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hostVersion } from '../service/contract/index.ts';
import { run } from './run.ts';

const entry = join(import.meta.dirname, '..', 'dist', 'main', 'index.mjs');
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stop-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const stop = () => run(process.execPath, [entry, '--stop', `--work-dir=${folder}`]);

it('--stop ends the host of a folder, waits for its end, and says where none runs', async () => {
  const args = ['--headless', '--port=0', '--setup=SQLITE', `--work-dir=${folder}`];
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const gone = once(child, 'exit') as Promise<[number | null]>;
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString('utf8')));
  await expect.poll(() => output, { timeout: 30_000 }).toMatch(/HOST_TOKEN=/);
  expect(stop()).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await readdir(join(folder, '.host'))).not.toContain('host.lock');
  expect((await gone)[0]).toBe(0);
  expect(stop()).toEqual({ code: 1, stdout: '', stderr: `No host runs in ${folder}.\n` });
});

it('--help and --version print what they say, and change nothing', async () => {
  const help = run(process.execPath, [entry, '--help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const flag of ['--headless', '--stop', '--work-dir=', '--disable-gpu'])
    expect(help.stdout).toContain(flag);
  expect(run(process.execPath, [entry, '--version']).stdout).toBe(`${hostVersion}\n`);
  expect(await readdir(folder)).toEqual([]);
});
