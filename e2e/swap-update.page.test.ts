import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Updates } from '../service/contract/index.ts';
import {
  packProgram,
  startUpdateServer,
  type UpdateServer,
} from '../service/testing/update-server.ts';
import { type StandInApp, standInRegister, startStandIn } from './desktop-app.ts';
import { packagedHost } from './packaged-host.ts';

let folder = '';
let program = '';
let work = '';
let server: UpdateServer;
let app: StandInApp;

/** An unpacked portable zip: a program with its own Node beside it. */
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swap-update-'));
  program = join(folder, 'app');
  work = join(folder, 'work');
  const resources = join(program, 'resources');
  const entry = await packagedHost(join(resources, 'app'), 'win-zip');
  await mkdir(join(resources, 'node'));
  for (const target of [join(program, 'plugin-host'), join(resources, 'node', 'node')])
    await copyFile(process.execPath, target);
  server = await startUpdateServer();
  const preload = `data:text/javascript,process.resourcesPath=${encodeURIComponent(`"${resources}"`)}`;
  app = await startStandIn([`--work-dir=${work}`, '--port=0', '--setup=SQLITE'], {
    entry,
    program: join(program, 'plugin-host'),
    nodeOptions: `--import=${preload} --import=${standInRegister}`,
  });
});
test.afterEach(async () => {
  await app.quit();
  for (const pid of [await holder(), await startedNext()])
    if (pid !== null && isAlive(pid)) process.kill(pid, 'SIGTERM');
  await expect.poll(async () => [await holder(), await startedNext()].filter(isThere)).toEqual([]);
  await server.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const text = (...path: string[]): Promise<string> =>
  readFile(join(work, ...path), 'utf8').catch(() => '');

/**
 * Returns the process ids of the data folder's lock holder and of the updater; null if there is
 * none.
 */
const holder = async (): Promise<number | null> =>
  Number(/"pid":\s*(\d+)/.exec(await text('.host', 'host.lock'))?.[1] ?? 0) || null;
const startedNext = async (): Promise<number | null> => Number(await text('next')) || null;

const isThere = (pid: number | null): boolean => pid !== null && isAlive(pid);
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Sends a request to the service as the shell does. */
const ask = (path: string, method = 'POST', body?: object): Promise<Updates> =>
  app.page.evaluate(
    async ([to, how, what]) => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(to, { method: how, ...(what ? { body: what, headers } : {}) });
      return (await answer.json()) as never;
    },
    [path, method, body && JSON.stringify(body)] as const,
  );

/** Installs an update whose program is this script, up to the restart. */
async function update(script: string): Promise<void> {
  server.offer(await packProgram({ 'plugin-host': `#!/bin/sh\n${script}\n` }));
  await app.page.getByRole('button', { name: 'Settings' }).waitFor();
  await ask('/api/settings', 'PUT', { updateApiBase: server.base });
  expect(await ask('/api/updates/check')).toMatchObject({ state: 'available' });
  await ask('/api/updates/install');
  await expect.poll(async () => (await ask('/api/updates', 'GET')).state).toBe('ready');
  await ask('/api/updates/restart').catch(() => undefined);
}

const folders = async (): Promise<string[]> => (await readdir(folder)).sort();
const logs = async (): Promise<string> => {
  const names = await readdir(join(work, '.host', 'logs'));
  return (await Promise.all(names.map((name) => text('.host', 'logs', name)))).join('');
};

test.describe('the restart into an update', () => {
  test('ends the host, swaps the folders, and starts the new program with the same flags', async () => {
    const [old] = [await holder()];
    await update(
      `echo $$ >'${work}/next'; echo "$@" >'${work}/flags'; printf 99.1.0 >'${work}/.host/updates/started'; exec sleep 300`,
    );
    await expect.poll(startedNext).not.toBeNull();
    await expect.poll(folders).toEqual(['app', 'work']);
    expect(await readFile(join(program, 'plugin-host'), 'utf8')).toMatch(/^#!\/bin\/sh/);
    expect(await text('flags')).toContain(`--work-dir=${work} --port=0 --setup=SQLITE`);
    expect(isThere(old)).toBe(false);
    expect(isThere(await startedNext())).toBe(true);
  });

  test('reverts to the old program if the new one does not start, and reports it', async () => {
    const old = await holder();
    await update(`echo $$ >'${work}/next'; exit 3`);
    await expect.poll(logs).toContain('The update to 99.1.0 was rolled back: it ended at once (3)');
    expect(await folders()).toEqual(['app', 'work']);
    expect((await readFile(join(program, 'plugin-host'))).subarray(1, 4).toString()).toBe('ELF');
    await expect.poll(async () => isThere(await holder())).toBe(true);
    expect(await holder()).not.toBe(old);
  });
});
