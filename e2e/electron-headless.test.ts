import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hostVersion } from '../service/contract/index.ts';
import { electronBinary, standInRegister } from './desktop-app.ts';

let folder = '';
let child: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'electron-headless-'));
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const root = join(import.meta.dirname, '..');

/** Starts the app on Electron or the stand-in, always without a display. */
function start(...flags: string[]): { running: ChildProcess; output: () => string } {
  const entry = join(root, 'dist', 'main', 'index.mjs');
  const [program, ...args] =
    electronBinary === undefined
      ? [process.execPath, '--import', standInRegister, entry]
      : [electronBinary, root];
  const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
  const running = spawn(program, [...args, ...flags], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = running;
  let output = '';
  running.stdout.on('data', (bytes: Buffer) => (output += bytes.toString('utf8')));
  return { running, output: () => output };
}

it('Electron without a display serves what plain Node does, and ends with a signal', async () => {
  const { running, output } = start(
    '--headless',
    '--port=0',
    '--setup=SQLITE',
    `--work-dir=${folder}`,
  );
  await expect.poll(output, { timeout: 30_000 }).toMatch(/HOST_PORT=\d+\nHOST_TOKEN=\S+\n/);
  const port = /HOST_PORT=(\d+)/.exec(output())?.[1] ?? '';
  const health = await fetch(`http://127.0.0.1:${port}/api/health`);
  expect(await health.json()).toEqual({ status: 'ok' });
  const token = /HOST_TOKEN=(\S+)/.exec(output())?.[1] ?? '';
  const headers = { 'X-Host-Token': token };
  const report = await fetch(`http://127.0.0.1:${port}/api/diagnostics`, { headers });
  expect(await report.json()).toMatchObject({ node: process.versions.node });
  const gone = once(running, 'exit') as Promise<[number | null]>;
  running.kill('SIGTERM');
  expect((await gone)[0]).toBe(0);
  expect(await readdir(join(folder, '.host'))).not.toContain('host.lock');
});

it('the plugin kit runs in plain Node with all arguments after --kit, also names of packages', async () => {
  const { running, output } = start('--kit', 'publish', 'nowhere.plugin', `--catalog=${folder}`);
  expect((await once(running, 'exit'))[0]).toBe(1);
  expect(output()).toBe('');
  const version = start('--kit', '--version');
  expect((await once(version.running, 'exit'))[0]).toBe(0);
  expect(version.output()).toBe(`${hostVersion}\n`);
});

it('the exit code is that of the host', async () => {
  const { running } = start('--headless', '--no-such-flag');
  expect((await (once(running, 'exit') as Promise<[number | null]>))[0]).toBe(2);
});
