import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api, pagePolicy } from '../../contract/index.ts';
import { packPlugin } from '../../testing/packages.ts';
import { ask, startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const id = 'acme.pages';
let ui: string;
const host = await useForFile(startTestHost());

beforeAll(async () => {
  const files = { 'ui/inner/part.js': 'part', 'ui/empty.css': '', 'ui/picture.svg': '<svg/>' };
  const file = new Blob([await packPlugin({ manifest: { id }, files })]);
  await host.client.call(api.market.upload, { file });
  ui = join(host.paths.plugins, id, 'ui');
});

const get = (path: string, headers = {}) =>
  ask(host.port, `/plugin-runtime/${id}/${path}`, { headers });
const raw = (target: string, headers = '') =>
  host.raw(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n${headers}Connection: close\r\n\r\n`);

describe('a static file of a plugin page', () => {
  it('is sent with its type, and is not sent again to a client that has it', async () => {
    const first = await get('inner/part.js');
    expect(first).toMatchObject({ status: 200, text: 'part' });
    expect(first.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': '4',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'referrer-policy': 'no-referrer',
    });
    const again = await get('inner/part.js', { 'If-None-Match': first.headers.etag });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(await get('empty.css')).toMatchObject({ status: 200, text: '' });
    expect((await get('picture.svg')).headers['content-type']).toContain('image/svg+xml');
  });

  it('has the same policy as in the plugin kit and the tests of the shell', async () => {
    const { headers } = await get('index.html');
    const ancestors = [`http://127.0.0.1:${host.port}`, `http://localhost:${host.port}`];
    expect(headers['content-security-policy']).toBe(pagePolicy(ancestors));
    expect(pagePolicy(ancestors)).toContain("; webrtc 'block'; ");
  });

  it.each(['', 'inner', 'inner/', 'none.js', 'index.html/', 'index.html/x', 'x'.repeat(300)])(
    'returns 404 for %j',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

describe('a link in the pages of a plugin is not followed', () => {
  beforeEach(() => writeFile(join(host.workDirectory, 'private.js'), 'canary'));

  it.each<[string, string, () => string]>([
    ['to a file outside', 'link.js', () => join(host.workDirectory, 'private.js')],
    ['to a file beside it', 'near.js', () => 'inner/part.js'],
    ['to itself', 'circle.js', () => 'circle.js'],
    ['to nothing', 'nowhere.js', () => 'nothing'],
    ['to a device', 'zero.js', () => '/dev/zero'],
  ])('%s', async (_, name, target) => {
    await symlink(target(), join(ui, name));
    const answer = await get(name);
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'not_found' });
  });

  it.each<[string, string, () => string]>([
    ['outside', 'out', () => host.workDirectory],
    ['inside', 'in', () => 'inner'],
    ['up', 'up', () => '..'],
  ])('as a parent folder that leads %s', async (_, name, target) => {
    await symlink(target(), join(ui, name));
    for (const file of ['private.js', 'part.js', 'manifest.json', 'ui/index.html'])
      expect((await get(`${name}/${file}`)).status, file).toBe(404);
  });

  it('in place of the whole ui/', async () => {
    await rename(ui, `${ui}-aside`);
    await symlink(`${ui}-aside`, ui);
    expect((await get('index.html')).status).toBe(404);
    await rm(ui);
    await rename(`${ui}-aside`, ui);
    expect((await get('index.html')).status).toBe(200);
  });

  it('also while it alternates with a real file', async () => {
    const [path, aside] = [join(ui, 'turns'), join(ui, 'turns-aside')];
    await mkdir(path);
    await writeFile(join(path, 'private.js'), 'honest');
    const stop = new AbortController();
    const turning = (async () => {
      while (!stop.signal.aborted) {
        await rename(path, aside);
        await symlink(host.workDirectory, path);
        await rm(path);
        await rename(aside, path);
      }
    })();
    const seen = new Set<string>();
    for (let round = 0; round < 400; round += 1) {
      const { status, text } = await get('turns/private.js');
      seen.add(status === 200 ? text : String(status));
    }
    stop.abort();
    await turning;
    expect([...seen].filter((text) => text !== 'honest' && text !== '404')).toEqual([]);
    expect((await get('turns/private.js')).text).toBe('honest');
  });

  it.runIf(process.platform !== 'win32')('and a named pipe is not waited for', async () => {
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(ui, 'pipe.js')]);
    expect((await get('pipe.js')).status).toBe(404);
  });
});

describe('the order of checks', () => {
  const page = `/plugin-runtime/${id}/index.html`;

  it('lets the opaque origin of a page GET its static files and nothing else', async () => {
    expect(await raw(page, 'Origin: null\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    const others = [
      ['HEAD', page],
      ['POST', page],
      ['OPTIONS', page],
      ['GET', '/api/health'],
      ['GET', `/api/plugin-runtime/${id}`],
      ['GET', '/plugin-runtime'],
    ];
    for (const [method, target] of others) {
      const answer = await host.raw(
        `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\nOrigin: null\r\nX-Host-Token: {T}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer, `${method} ${target}`).toMatch(/^HTTP\/1\.1 403 /);
    }
  });

  it.each([
    'https://evil.test',
    'http://127.0.0.1:1',
    'file://',
    'NULL',
    'null, null',
    'app://shell.evil',
    '',
  ])('refuses a page of the origin %j, also for static files', async (origin) => {
    const answer = await raw(page, `Origin: ${origin}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('"code":"foreign_origin"');
    expect(answer).not.toMatch(/access-control-allow-origin/i);
    // Node joins duplicate headers to a value that matches no origin.
    const twice = await raw(page, `Origin: null\r\nOrigin: ${origin}\r\n`);
    expect(twice).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('accepts the shell and the addresses of the host', async () => {
    for (const origin of ['http://127.0.0.1:{P}', 'http://localhost:{P}', 'app://shell'])
      expect(await raw(page, `Origin: ${origin}\r\n`), origin).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    '/../api/settings',
    '/a%2fb',
    '/a%5Cb',
    '/a%00',
    '/a%252e',
    '/a%252fb',
    '/%25%32%66',
    '/%c0%ae%c0%ae/manifest.json',
    '/%c0%af',
    '/%e0%80%ae',
    '/%f0%80%80%ae',
    '/%f5%80%80%80',
    '/%ff',
    '/%fe',
    '/%80',
    '/%c3',
    '/%c3%28',
    '/%ed%a0%80',
    '/%ed%bf%bf',
    '/%f4%90%80%80',
    '/\u00ff',
    '/\u00c3\u00a9',
    '/a?b=\u00e9',
    '/a#b',
    '/%zz',
    '/%',
  ])('refuses the target %j first, with 400', async (end) => {
    for (const start of [`/plugin-runtime/${id}`, '/api']) {
      const answer = await host.raw(
        `GET ${start}${end} HTTP/1.1\r\nHost: evil.test\r\nOrigin: https://evil.test\r\nConnection: close\r\n\r\n`,
      );
      expect(answer, start).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it('decodes a path once: a well-formed path leads to the file of that name', async () => {
    await writeFile(join(ui, 'grün 100%.js'), 'found');
    expect((await get('gr%C3%BCn%20100%25.js')).text).toBe('found');
    expect((await get('%F0%9F%98%80.js')).status).toBe(404);
    // A query is not part of the path.
    expect((await get('inner/part.js?a=%ff&b=..%2f%00&c=%252e')).text).toBe('part');
  });

  it('is target, Host, Origin, route, access: each one is enforced before the next', async () => {
    const answerTo = async (request: string): Promise<string> => {
      const answer = await host.raw(`${request}\r\nConnection: close\r\n\r\n`);
      return `${answer.slice(9, 12)} ${/"code":"(\w+)"/.exec(answer)?.[1] ?? ''}`;
    };
    const evil = 'Origin: https://evil.test';
    const two = 'Host: 127.0.0.1:{P}\r\nHost: evil.test';
    const own = 'Host: localhost:{P}';
    expect(await answerTo(`GET /api//x HTTP/1.1\r\n${two}\r\n${evil}`)).toBe('400 invalid_target');
    expect(await answerTo(`GET /api/none HTTP/1.1\r\n${two}\r\n${evil}`)).toBe('400 invalid_host');
    for (const name of ['evil.test', '127.0.0.1', '127.0.0.1:1', '[::1]:{P}', 'localhost.:{P}'])
      expect(await answerTo(`GET /api/none HTTP/1.1\r\nHost: ${name}\r\n${evil}`), name).toBe(
        '403 foreign_host',
      );
    expect(await answerTo(`GET /api/none HTTP/1.1\r\n${own}\r\n${evil}`)).toBe(
      '403 foreign_origin',
    );
    expect(await answerTo(`PATCH ${page} HTTP/1.1\r\n${own}`)).toBe('405 method_not_allowed');
    expect(await answerTo(`PUT /api/settings HTTP/1.1\r\n${own}`)).toBe('401 invalid_token');
    const tooLong = 'Content-Type: application/json\r\nContent-Length: 999999999';
    expect(await answerTo(`PUT /api/settings HTTP/1.1\r\n${own}\r\n${tooLong}`)).toBe(
      '401 invalid_token',
    );
    expect(
      await answerTo(`PUT /api/settings HTTP/1.1\r\n${own}\r\nX-Host-Token: {T}\r\n${tooLong}`),
    ).toBe('413 body_too_large');
  });
});
