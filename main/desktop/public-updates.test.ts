import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppUpdater, DebUpdater } from 'electron-updater';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startUpdateServer, type UpdateServer } from '../../service/testing/update-server.ts';
import { publicUpdates } from './public-updates.ts';

const never = new AbortController().signal;
const file = '/plugin-host_99.1.0_amd64.deb';
const bytes = Buffer.alloc(600_000, 'package');
const sha512 = createHash('sha512').update(bytes).digest('base64');

let folder = '';
let server: UpdateServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-updates-'));
  server = await startUpdateServer();
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** The updater of the deb package, with Node's network instead of Electron's. */
async function realUpdater(): Promise<AppUpdater> {
  const config = join(folder, 'app-update.yml');
  const lines = ['provider: generic', `url: ${server.base}`, 'channel: latest'];
  await writeFile(config, [...lines, 'updaterCacheDirName: plugin-host-updater'].join('\n'));
  const updater = new DebUpdater(null, {
    version: '4.0.0-beta.4',
    name: 'plugin-host',
    isPackaged: true,
    appUpdateConfigPath: config,
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  });
  const { NodeHttpExecutor } = createRequire(import.meta.resolve('app-builder-lib'))(
    'builder-util',
  ) as { NodeHttpExecutor: new () => object };
  const { ElectronHttpExecutor } = createRequire(import.meta.url)(
    'electron-updater/out/electronHttpExecutor',
  ) as { ElectronHttpExecutor: { prototype: { download: unknown } } };
  const { download } = ElectronHttpExecutor.prototype;
  return Object.assign(updater, {
    httpExecutor: Object.assign(new NodeHttpExecutor(), { download }),
  });
}

function offer(version = '99.1.0', sum = sha512): void {
  const description = [
    `version: ${version}`,
    'files:',
    `  - url: ${file.slice(1)}`,
    `    sha512: ${sum}`,
    `    size: ${bytes.length}`,
    `path: ${file.slice(1)}`,
    `sha512: ${sum}`,
    "releaseDate: '2026-01-01T00:00:00.000Z'",
  ].join('\n');
  server.answers.set('latest', (_request, response) => response.end(description));
  server.answers.set(file, (_request, response) => response.end(bytes));
}

const updates = (limits = { checkMs: 30_000, downloadMs: 30_000 }) =>
  publicUpdates(realUpdater, limits);

describe('the public channel of the deb package', () => {
  it('offers newer versions, and downloads with progress', async () => {
    offer();
    const own = updates();
    expect(await own.check(never)).toEqual({ version: '99.1.0', sizeBytes: bytes.length });
    const percents: number[] = [];
    await own.download((percent) => percents.push(percent), never);
    expect(percents.at(-1)).toBe(100);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    const files = await readdir(folder, { recursive: true });
    expect(files).toContain(join('plugin-host-updater', 'pending', file.slice(1)));
  });

  it.each(['4.0.0-beta.4', '4.0.0-beta.3', '3.9.0'])('does not offer a %s', async (version) => {
    offer(version);
    expect(await updates().check(never)).toBeNull();
  });

  it('refuses a wrong checksum, and keeps no file', async () => {
    offer('99.1.0', createHash('sha512').update('other').digest('base64'));
    const own = updates();
    await own.check(never);
    await expect(own.download(() => undefined, never)).rejects.toThrow(/sha512 checksum mismatch/);
    const files = await readdir(folder, { recursive: true });
    expect(files.filter((name) => name.endsWith('.deb'))).toEqual([]);
  });

  it('gives up on a server that hangs, and on cancellation', async () => {
    server.answers.set('latest', () => undefined);
    const hanging = updates({ checkMs: 200, downloadMs: 200 });
    await expect(hanging.check(never)).rejects.toThrow(/did not answer in time/);
    const stop = new AbortController();
    const checking = updates().check(stop.signal);
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(checking).rejects.toBe(reason);
  });

  it('gives up on a stalled download', async () => {
    offer();
    server.answers.set(file, (_request, response) => {
      response.writeHead(200, { 'Content-Length': bytes.length });
      response.write(bytes.subarray(0, 1_000));
    });
    const own = updates({ checkMs: 30_000, downloadMs: 500 });
    await own.check(never);
    await expect(own.download(() => undefined, never)).rejects.toThrow(/did not answer in time/);
  });

  it('reports an unreadable release', async () => {
    await expect(updates().check(never)).rejects.toThrow(/404/);
    server.answers.set('latest', (_request, response) => response.end('{'));
    await expect(updates().check(never)).rejects.toThrow();
  });

  it('installs nothing that was not downloaded', async () => {
    offer();
    const own = updates();
    await own.check(never);
    await expect(own.restart()).rejects.toThrow(/No update filepath/);
  });
});
