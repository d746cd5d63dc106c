import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostOptions } from '../../app/index.ts';
import { api, hostVersion, type Updates } from '../../contract/index.ts';
import { problem } from '../../testing/problem.ts';
import { startTestHost, type TestHost, type TestHostOptions } from '../../testing/test-host.ts';
import {
  descriptionOf,
  offeredFile,
  packProgram,
  releaseKeys,
  startUpdateServer,
  type UpdateServer,
} from '../../testing/update-server.ts';
import { useFolderForEach } from '../../testing/use-folder-for-each.ts';
import { serveWeb } from '../../testing/web-server.ts';

type Build = HostOptions['build'];

const folder = useFolderForEach('updates-');
let program = '';
let server: UpdateServer;
let host: TestHost;

beforeEach(async () => {
  program = join(folder.path, 'plugin-host');
  await mkdir(program);
  server = await startUpdateServer();
});
afterEach(async () => {
  await host.close();
  await server.close();
});

const build = (parts: Partial<Build> = {}): Build => ({
  kind: 'win-zip',
  arch: process.arch,
  releases: null,
  releaseKey: null,
  folder: program,
  node: process.execPath,
  swapProgram: join(folder.path, 'swap.mjs'),
  restart: { program: join(program, 'plugin-host.exe'), args: [] },
  end: () => undefined,
  ...parts,
});

/** Starts a host of that build with the server of the test. */
async function start(parts: Partial<Build> = {}, more: TestHostOptions = {}): Promise<void> {
  host = await startTestHost({ build: build(parts), ...more });
  await setBase(server.base);
}

const setBase = (updateApiBase: string) =>
  host.client.call(api.settings.put, { body: { updateApiBase } });
const show = (): Promise<Updates> => host.client.call(api.updates.get);
const check = (): Promise<Updates> => host.client.call(api.updates.check);
const install = (): Promise<Updates> => host.client.call(api.updates.install);
const restart = (): Promise<Updates> => host.client.call(api.updates.restart);
const cancel = (): Promise<Updates> => host.client.call(api.updates.cancel);

/** Resolves when the download has ended, successfully or not. */
async function settled(): Promise<Updates> {
  await expect.poll(async () => (await show()).state).not.toBe('downloading');
  return show();
}

const next = (): Promise<Buffer> => packProgram({ 'plugin-host.exe': 'next', 'a/b.txt': 'text' });
const storedFiles = (): Promise<string[]> => readdir(host.paths.updates).catch(() => []);
const beside = async (): Promise<string[]> => (await readdir(folder.path)).sort();

describe('an update', () => {
  it('is found, downloaded, verified and unpacked next to the program [SETTINGS-13]', async () => {
    server.offer(await next());
    await start();
    expect(await show()).toEqual({
      build: 'win-zip',
      version: hostVersion,
      channel: 'intranet',
      state: 'idle',
    });
    const available = { version: '99.1.0', sizeBytes: (await next()).length };
    expect(await check()).toMatchObject({ state: 'available', available });
    expect(await install()).toMatchObject({ state: 'downloading', percent: 0, available });
    const ready = await settled();
    expect(ready).toMatchObject({ state: 'ready', available });
    expect(ready).not.toHaveProperty('percent');
    expect(ready).not.toHaveProperty('error');
    expect(await readFile(join(`${program}.update`, 'plugin-host.exe'), 'utf8')).toBe('next');
    expect(await readFile(join(`${program}.update`, 'a', 'b.txt'), 'utf8')).toBe('text');
    expect(await readdir(program)).toEqual([]);
    expect(server.asked).toEqual([descriptionOf(), `/${offeredFile}`]);
  });

  it('reports its download progress, and leaves nothing behind when it is cancelled', async () => {
    const bytes = await packProgram({ 'plugin-host.exe': Buffer.alloc(500_000, 'x') });
    const padded = Buffer.concat([bytes, Buffer.alloc(500_000)]);
    server.offer(padded);
    server.answers.set(`/${offeredFile}`, (_request, response) => {
      response.writeHead(200, { 'Content-Length': padded.length });
      response.write(padded.subarray(0, padded.length / 2));
    });
    await start();
    await check();
    await install();
    await expect.poll(async () => (await show()).percent).toBeGreaterThan(40);
    expect((await show()).percent).toBeLessThanOrEqual(50);
    await expect(check()).rejects.toEqual(problem('update_running', 409));
    await expect(install()).rejects.toEqual(problem('update_running', 409));
    expect(await cancel()).toMatchObject({ state: 'available' });
    expect(await show()).not.toHaveProperty('error');
    expect(await storedFiles()).toEqual([]);
    expect(await beside()).toEqual(['plugin-host']);
  });

  it('can be retried after a failure', async () => {
    const bytes = await next();
    server.offer(bytes, { sha256: '0'.repeat(64) });
    await start();
    await check();
    await install();
    expect((await settled()).error?.code).toBe('invalid_release');
    server.offer(bytes);
    expect(await check()).not.toHaveProperty('error');
    await install();
    expect((await settled()).state).toBe('ready');
  });

  it('that is the same or older is ignored, and stored files of it are deleted', async () => {
    await start();
    for (const version of [hostVersion, '4.0.0-beta.3', '3.99.99', '0.0.1']) {
      server.offer(await next(), { version });
      await mkdir(host.paths.updates, { recursive: true });
      const current = await check();
      expect(current, version).toMatchObject({ state: 'current', version: hostVersion });
      expect(current, version).not.toHaveProperty('available');
      await expect(install()).rejects.toEqual(problem('no_update', 409));
      expect(await storedFiles()).toEqual([]);
    }
  });

  it('is not installed before a check, and the host does not restart before it is ready', async () => {
    await start();
    await expect(install()).rejects.toEqual(problem('no_update', 409));
    await expect(restart()).rejects.toEqual(problem('update_not_ready', 409));
  });

  it('is discarded when another server is set', async () => {
    server.offer(await next());
    await start();
    await check();
    await setBase(`${server.base}/elsewhere`);
    await expect.poll(async () => (await show()).state).toBe('idle');
    await expect(install()).rejects.toEqual(problem('no_update', 409));
    await expect(check()).rejects.toEqual(problem('invalid_release', 502));
    expect(server.asked.at(-1)).toBe(`/elsewhere${descriptionOf()}`);
  });

  it('that was changed after it was verified is not installed', async () => {
    server.offer(await next());
    await start();
    await check();
    await install();
    expect((await settled()).state).toBe('ready');
    await writeFile(join(host.paths.updates, offeredFile), 'something else');
    await expect(restart()).rejects.toEqual(problem('update_damaged', 409));
    expect(await show()).toMatchObject({ state: 'available', error: { code: 'update_damaged' } });
    expect(await beside()).not.toContain('plugin-host.previous');
  });

  it('does not prevent a host from stopping', async () => {
    server.offer(await next());
    server.answers.set(`/${offeredFile}`, (_request, response) => response.write('a piece'));
    await start();
    await check();
    await install();
    await expect.poll(() => server.asked).toContain(`/${offeredFile}`);
    await host.stop();
    expect(await storedFiles()).toEqual([]);
  });
});

const text =
  (body: string, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end(body);

describe('a release description', () => {
  it.each<[string, RequestListener]>([
    ['that is no JSON', text('{"version":')],
    ['that is no object', text('[]')],
    ['that is empty', text('')],
    ['that is not there', text('', 404)],
    ['that the server fails at', text('{}', 500)],
  ])('%s is refused', async (_what, answer) => {
    await start();
    server.answers.set(descriptionOf(), answer);
    await expect(check()).rejects.toEqual(problem('invalid_release', 502));
    expect(await show()).toMatchObject({ state: 'idle', error: { code: 'invalid_release' } });
  });

  it.each<[string, Record<string, unknown>]>([
    ['of another product', { product: 'other' }],
    ['of another system', { arch: 'mips' }],
    ['with a version that is none', { version: '99' }],
    ['with a version of more words', { version: ' 99.1.0' }],
    ['with a path for a file', { file: '../plugin-host-next.zip' }],
    ['with an address for a file', { file: 'http://example.org/a.zip' }],
    ['with a hidden file', { file: '.htaccess' }],
    ['with a file of no size', { sizeBytes: 0 }],
    ['with a file of half a byte', { sizeBytes: 10.5 }],
    ['with a file larger than any', { sizeBytes: 2 ** 31 }],
    ['without a checksum', { sha256: undefined }],
    ['with a short checksum', { sha256: 'abc' }],
  ])('%s is refused', async (_what, fields) => {
    await start();
    server.offer(await next(), fields);
    await expect(check()).rejects.toEqual(problem('invalid_release', 502));
    expect(await show()).not.toHaveProperty('available');
  });

  it('of another build is refused', async () => {
    await start();
    server.offer(await next(), { build: 'lite-deb' });
    server.answers.set(descriptionOf(), server.answers.get(descriptionOf('lite-deb'))!);
    await expect(check()).rejects.toEqual(problem('invalid_release', 502));
  });

  it('that never ends is not read completely', async () => {
    await start();
    server.answers.set(descriptionOf(), (_request, response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(65_536, ' ')));
        response.once('drain', more);
      };
      more();
    });
    await expect(check()).rejects.toEqual(problem('too_large', 413));
  });

  it('on another server than the configured one is not requested', async () => {
    await start();
    let wasAsked = false;
    const other = await serveWeb((_request, response) => {
      wasAsked = true;
      response.end('{}');
    });
    server.answers.set(descriptionOf(), (_request, response) => {
      response.writeHead(302, { Location: `${other.base}/release.json` }).end();
    });
    await expect(check()).rejects.toEqual(problem('address_refused', 400));
    expect(wasAsked).toBe(false);
    await other.close();
  });

  it('on an unavailable server reports that', async () => {
    const closedServer = await serveWeb(() => undefined);
    await closedServer.close();
    await start();
    await setBase(closedServer.base);
    await expect(check()).rejects.toEqual(problem('unreachable', 502));
    expect((await show()).error?.message).toContain('refuses the connection');
  });

  it('that never arrives is waited for until it is cancelled', async () => {
    await start();
    server.answers.set(descriptionOf(), () => undefined);
    const pendingCheck = check();
    await expect.poll(async () => (await show()).state).toBe('checking');
    await cancel();
    expect(await pendingCheck).toMatchObject({ state: 'idle' });
  });
});

describe('a package', () => {
  const sent = `/${offeredFile}`;

  async function refusal(): Promise<string | undefined> {
    await check();
    await install();
    const { state, error } = await settled();
    expect(state).toBe('available');
    expect(await storedFiles()).toEqual([]);
    expect(await beside()).toEqual(['plugin-host']);
    return error?.code;
  }

  it('with another checksum is refused', async () => {
    await start();
    server.offer(await next(), { sha256: 'f'.repeat(64) });
    expect(await refusal()).toBe('invalid_release');
  });

  it('that is shorter than described is refused', async () => {
    await start();
    const bytes = await next();
    server.offer(bytes);
    server.answers.set(sent, (_request, response) => response.end(bytes.subarray(0, -10)));
    expect(await refusal()).toBe('invalid_release');
  });

  it('whose connection breaks off is refused', async () => {
    await start();
    const bytes = await next();
    server.offer(bytes);
    server.answers.set(sent, (_request, response) => {
      response.writeHead(200, { 'Content-Length': bytes.length });
      response.write(bytes.subarray(0, 20), () => response.destroy());
    });
    expect(await refusal()).toBe('unreachable');
  });

  it('that is larger than described is not read completely', async () => {
    await start();
    const bytes = await next();
    server.offer(bytes);
    server.answers.set(sent, (_request, response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(65_536)));
        response.once('drain', more);
      };
      more();
    });
    expect(await refusal()).toBe('too_large');
  });

  it('that is redirected to another server is refused', async () => {
    await start();
    server.offer(await next());
    server.answers.set(sent, (_request, response) => {
      response.writeHead(307, { Location: 'http://127.0.0.1:9/next.zip' }).end();
    });
    expect(await refusal()).toBe('address_refused');
  });

  it('that is missing is refused', async () => {
    await start();
    server.offer(await next());
    server.answers.delete(sent);
    expect(await refusal()).toBe('invalid_release');
  });

  it.each<[string, () => Promise<Buffer>]>([
    ['that is no archive', () => Promise.resolve(Buffer.from('no zip'))],
    ['without the program', () => packProgram({ 'other.exe': 'x' })],
    ['whose files lie in a folder', () => packProgram({ 'next/plugin-host.exe': 'x' })],
    [
      'with a name that Windows cannot have',
      () => packProgram({ 'plugin-host.exe': 'x', 'a/con.txt': 'x' }),
    ],
  ])('%s is refused', async (_what, bytes) => {
    await start();
    server.offer(await bytes());
    expect(await refusal()).toBe('invalid_release');
  });

  it('is refused if the data is inside of the program folder', async () => {
    const workDirectory = join(program, 'data');
    await mkdir(workDirectory);
    await start({}, { workDirectory });
    server.offer(await next());
    expect(await refusal()).toBe('update_not_possible');
    expect(server.asked).not.toContain(sent);
  });
});

describe('a package with the release key of its publisher', () => {
  const makers = releaseKeys();

  it('accepts what the publisher signed', async () => {
    await start({ releaseKey: makers.publicKey });
    server.offer(await next(), {}, makers.key);
    await check();
    await install();
    expect((await settled()).state).toBe('ready');
  });

  it.each<[string, (bytes: Buffer) => void]>([
    ['is not signed', (bytes) => server.offer(bytes)],
    ['others have signed', (bytes) => server.offer(bytes, {}, releaseKeys().key)],
    ['was signed as nothing', (bytes) => server.offer(bytes, { signature: '' })],
    ['carries a signature that is none', (bytes) => server.offer(bytes, { signature: 'AAAA' })],
  ])('refuses what %s', async (_what, offer) => {
    await start({ releaseKey: makers.publicKey });
    offer(await next());
    await expect(check()).rejects.toEqual(problem('invalid_release', 502));
    expect((await show()).error?.message).toContain('signature');
  });

  it.each(['version', 'file', 'sizeBytes', 'sha256'])(
    'refuses what was signed with a different %s',
    async (field) => {
      await start({ releaseKey: makers.publicKey });
      const bytes = await next();
      server.offer(bytes, {}, makers.key);
      let body = '';
      server.answers.get(descriptionOf())!(
        {} as never,
        { end: (responseBody: string) => (body = responseBody) } as never,
      );
      const others = { version: '99.2.0', file: 'other.zip', sizeBytes: 9, sha256: 'a'.repeat(64) };
      const changed = { ...JSON.parse(body), [field]: others[field as keyof typeof others] };
      server.answers.set(descriptionOf(), text(JSON.stringify(changed)));
      await expect(check()).rejects.toEqual(problem('invalid_release', 502));
    },
  );
});

describe('a build', () => {
  it.each(['deb', 'zip', 'mac-zip', 'dev'] as const)(
    'of the kind %s is not updated from a custom server, although one can be set [SETTINGS-14]',
    async (kind) => {
      await start({ kind });
      expect((await host.client.call(api.settings.get)).updateApiBase).toBe(server.base);
      for (const ask of [check, install])
        await expect(ask()).rejects.toEqual(problem('unsupported_build', 409));
      expect(await show()).toMatchObject({
        build: kind,
        channel: 'intranet',
        unsupported: { code: 'unsupported_build' },
      });
      expect(server.asked).toEqual([]);
    },
  );

  it('without a custom server checks the public releases [SETTINGS-12]', async () => {
    server.offer(await next());
    const allowed = { properties: { webAllow: [server.allow] } };
    await start({ releases: `${server.base}/` }, allowed);
    await setBase('');
    expect(await check()).toMatchObject({ channel: 'public', state: 'available' });
    expect(server.asked).toEqual([descriptionOf()]);
  });

  it('does not reach a private network through the address of the public releases', async () => {
    await start({ releases: server.base });
    await setBase('');
    await expect(check()).rejects.toEqual(problem('address_refused', 400));
    expect(server.asked).toEqual([]);
  });

  it.each<[string, Partial<Build>]>([
    ['names no place of public releases', { kind: 'win-zip' }],
    ['runs from its sources', { kind: 'dev', releases: 'https://example.org' }],
    ['has no window to update it', { kind: 'deb' }],
    ['cannot be started again', { kind: 'zip', restart: null, releases: 'https://example.org' }],
  ])('that %s reports that', async (_what, parts) => {
    await start(parts);
    await setBase('');
    await expect(check()).rejects.toEqual(problem('unsupported_build', 409));
    expect((await show()).unsupported?.message).toMatch(/\.$/);
  });
});
