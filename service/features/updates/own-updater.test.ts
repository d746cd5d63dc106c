import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  descriptionOf,
  offeredFile,
  startUpdateServer,
  type UpdateServer,
} from '../../testing/update-server.ts';
import { type Installer, OwnUpdater } from './own-updater.ts';

const shortMs = 200;
const never = new AbortController().signal;
const installer: Installer = {
  prepare: () => Promise.resolve(),
  stage: () => Promise.resolve(),
  command: () => undefined,
  restart: () => Promise.resolve(),
};

let folder = '';
let server: UpdateServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'updater-'));
  server = await startUpdateServer();
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const updater = (limits: { checkMs?: number; downloadMs?: number }, base = server.base) =>
  new OwnUpdater({
    base,
    networkPolicy: { loopback: true, private: true, allow: [] },
    sameOrigin: true,
    build: 'win-zip',
    arch: process.arch,
    version: '1.0.0',
    key: null,
    folder: join(folder, 'updates'),
    installer,
    limits,
  });

describe('a server that hangs', () => {
  it('before it sends a description times out', async () => {
    server.answers.set(descriptionOf(), () => undefined);
    await expect(updater({ checkMs: shortMs }).check(never)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('did not answer in time') as string,
    });
  });

  it('in the middle of a package times out, and leaves nothing behind', async () => {
    server.offer(Buffer.alloc(1_000));
    server.answers.set(`/${offeredFile}`, (_request, response) => response.write('a piece'));
    const slow = updater({ downloadMs: shortMs });
    await slow.check(never);
    await expect(slow.download(() => undefined, never)).rejects.toMatchObject({
      code: 'unreachable',
    });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the address of a server', () => {
  it.each(['', '/', '/releases', '/releases/'])('may end as %s', async (path) => {
    server.answers.set(`${path.replace(/\/$/, '')}${descriptionOf()}`, (_request, response) =>
      response.writeHead(204).end(),
    );
    const asked = updater({}, `${server.base}${path}`).check(never);
    await expect(asked).rejects.toMatchObject({ code: 'invalid_release' });
    expect(server.asked).toEqual([`${path.replace(/\/$/, '')}${descriptionOf()}`]);
  });
});

describe('an update', () => {
  it('without a previous check is neither downloaded nor installed', async () => {
    const fresh = updater({});
    const notReady = { code: 'update_not_ready' };
    await expect(fresh.download(() => undefined, never)).rejects.toMatchObject(notReady);
    await expect(fresh.restart()).rejects.toMatchObject(notReady);
  });

  it('that is aborted before it begins sends no request', async () => {
    const reason = new Error('enough');
    await expect(updater({}).check(AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(server.asked).toEqual([]);
  });
});
