import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { asked, emitReady, resetElectron } from '../testing/stand-in/electron.ts';
import { handedRequest, type PageRequest } from '../testing/stand-in/network.ts';
import { shellPolicy } from '../../service/contract/page-policies.ts';
import type { ShellLook } from '../../service/app/index.ts';
import { registerShellScheme, shellHandler } from './shell-scheme.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

const serviceUrl = 'http://127.0.0.1:24056';
const token = 'the-token-of-this-launch';
const page =
  '<!doctype html><meta name="style-nonce" content="__STYLE_NONCE__"><meta name="shell-look" content="__SHELL_LOOK__"><title>Shell</title>';

let directory = '';
let theme: ShellLook = null;
const forwarded: { url: string; request: Request; headers: Headers }[] = [];
let answer: () => Response = () => Response.json({ status: 'ok' });

beforeAll(async () => {
  const root = await mkdtemp(join(tmpdir(), 'shell-scheme-'));
  directory = join(root, 'renderer-shell');
  await mkdir(join(directory, 'assets', 'folder.js'), { recursive: true });
  await mkdir(join(root, 'main'));
  await writeFile(join(root, 'main.js'), 'outside');
  await writeFile(join(root, 'main', 'index.js'), 'outside');
  for (const [name, content] of Object.entries({
    'index.html': page,
    'assets/index-D6I98kU5.js': 'export {};',
    'assets/index-ZQ_un-aC.css': 'body {}',
    'assets/icon.svg': '<svg/>',
    'assets/text.woff2': 'font',
    'assets/.hidden.js': 'hidden',
    'notes.txt': 'text',
  }))
    await writeFile(join(directory, name), content);
});
afterAll(() => rm(join(directory, '..'), { recursive: true, force: true }));

beforeEach(() => {
  resetElectron();
  forwarded.length = 0;
  answer = () => Response.json({ status: 'ok' });
});

function ask(url: string, page: PageRequest = {}): Promise<Response> {
  const source = { directory, serviceUrl, token, theme: () => theme };
  const handler = shellHandler(source, async (target, request, headers) => {
    forwarded.push({ url: target, request, headers });
    return answer();
  });
  return handler(handedRequest(url, page));
}

const sent = (): Headers => new Headers(forwarded[0]?.headers);

describe('the scheme of the shell', () => {
  it('is registered as a standard and secure one, without powers it does not need', () => {
    registerShellScheme();
    expect(asked.schemes).toEqual([
      {
        scheme: 'app',
        privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
      },
    ]);
  });

  it('cannot be registered once Electron is ready', () => {
    emitReady();
    expect(() => registerShellScheme()).toThrow('before app is ready');
  });
});

describe('the files of the shell', () => {
  it.each([
    ['app://shell/', 'text/html; charset=utf-8'],
    ['app://shell/index.html', 'text/html; charset=utf-8'],
    ['app://shell/assets/../index.html?x=1#ticket=1', 'text/html; charset=utf-8'],
    ['app://shell/assets/index-D6I98kU5.js', 'text/javascript; charset=utf-8'],
    ['app://shell/assets/index-ZQ_un-aC.css', 'text/css; charset=utf-8'],
    ['app://shell/assets/icon.svg', 'image/svg+xml'],
    ['app://shell/assets/text.woff2', 'font/woff2'],
  ])('%s is served as %s', async (url, type) => {
    const { status, headers } = await ask(url);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe(type);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('X-DNS-Prefetch-Control')).toBe('off');
  });

  it.each([
    'app://shell/..%2fmain.js',
    'app://shell/..%2Fmain.js',
    'app://shell/%2e%2e%2fmain.js',
    'app://shell/..%5cmain.js',
    'app://shell/..\\main.js',
    'app://shell/../main.js',
    'app://shell/../../main.js',
    'app://shell/assets/../../main.js',
    'app://shell/assets/..%2f..%2fmain.js',
    'app://shell//../main.js',
    'app://shell/%2e%2e/main/index.js',
    'app://shell/index.html%00',
    'app://shell/%00index.html',
    'app://shell/index.html%00.js',
    'app://shell/assets/%00.js',
    'app://shell/unknown.js',
    'app://shell/assets/unknown.css',
    'app://shell/notes.txt',
    'app://shell/assets/.hidden.js',
    'app://shell/assets/folder.js',
    'app://shell/assets/',
    'app://shell/assets//icon.svg',
    'app://shell/INDEX.HTML.js',
    'app://shell/api',
    'app://shell/apis/health',
    'app://shell/Api/health',
    'app://evil/',
    'app://evil/index.html',
    'app://shell.evil/index.html',
    'app://shell:80/index.html',
    'app://evil/api/health',
    'app://shell.evil/api/health',
  ])('%s does not exist', async (url) => {
    const response = await ask(url);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('Not found');
    expect(forwarded).toEqual([]);
  });

  it('answer HEAD without a body', async () => {
    for (const path of ['', 'index.html', 'assets/index-D6I98kU5.js', 'assets/icon.svg']) {
      const get = await ask(`app://shell/${path}`);
      const head = await ask(`app://shell/${path}`, { method: 'HEAD' });
      expect([head.status, await head.text()], path).toEqual([200, '']);
      expect([...head.headers.keys()], path).toEqual([...get.headers.keys()]);
      expect(head.headers.get('content-type'), path).toBe(get.headers.get('content-type'));
    }
    expect((await ask('app://shell/none.js', { method: 'HEAD' })).status).toBe(404);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('reject %s', async (method) => {
    expect((await ask('app://shell/index.html', { method })).status).toBe(404);
  });

  it('have a policy that allows only the shell, and plugin pages in frames', async () => {
    const response = await ask('app://shell/');
    const nonce = /content="([^"]+)"/.exec(await response.text())?.[1] ?? '';
    expect(nonce).toMatch(/^[\w-]{22}$/);
    expect(response.headers.get('Content-Security-Policy')).toBe(shellPolicy(nonce, [serviceUrl]));
  });

  it('have a new nonce each time', async () => {
    const [first, second] = await Promise.all([ask('app://shell/'), ask('app://shell/')]);
    expect(await first.text()).not.toBe(await second.text());
  });
});

describe('the page of the shell', () => {
  it.each<[string, ShellLook]>([
    ['setup', null],
    ['dark zh-CN', { theme: 'dark', language: 'zh-CN', sidebarCollapsed: false }],
    ['light en collapsed', { theme: 'light', language: 'en', sidebarCollapsed: true }],
  ])('receives its initial theme %s', async (expected, now) => {
    theme = now;
    const page = await (await ask('app://shell/')).text();
    expect(page).toContain(`<meta name="shell-look" content="${expected}">`);
  });
});

describe('what the shell asks of the service', () => {
  it.each([
    ['app://shell/api/health', '/api/health'],
    [
      'app://shell/api/notifications?limit=5&unreadOnly=true',
      '/api/notifications?limit=5&unreadOnly=true',
    ],
    ['app://shell/api/plugin-runtime/a%2fb', '/api/plugin-runtime/a%2fb'],
    ['app://shell/assets/../api/health', '/api/health'],
    ['app://shell/actuator/metrics', '/actuator/metrics'],
  ])('%s is forwarded with the token', async (url, path) => {
    const response = await ask(url);
    expect(response.status).toBe(200);
    expect(forwarded.map((one) => one.url)).toEqual([serviceUrl + path]);
    expect(sent().get('X-Host-Token')).toBe(token);
    expect(forwarded[0]?.request.method).toBe('GET');
  });

  it('never reaches the service outside /api and /actuator', async () => {
    for (const path of ['', 'index.html', 'plugin-runtime/host.words/ui/index.html', 'assets/x.js'])
      await ask(`app://shell/${path}`);
    expect(forwarded).toEqual([]);
  });

  it('carries method, headers and body, but no origin, host or token of the page', async () => {
    await ask('app://shell/api/settings', {
      method: 'PUT',
      body: '{"theme":"dark"}',
      headers: {
        'Content-Type': 'application/json',
        Origin: 'app://shell',
        Host: 'shell',
        'X-Host-Token': 'made up',
      },
    });
    const { request } = forwarded[0]!;
    expect(request.method).toBe('PUT');
    expect(sent().get('Content-Type')).toBe('application/json');
    expect([sent().get('Origin'), sent().get('Host')]).toEqual([null, null]);
    expect(sent().get('X-Host-Token')).toBe(token);
    expect(await request.text()).toBe('{"theme":"dark"}');
  });

  it.each(['null', 'http://127.0.0.1:24056', 'app://shell.evil', 'app://evil', 'APP://SHELL', ''])(
    'is refused from a page of the origin %j, which gets no token',
    async (origin) => {
      const url = 'app://shell/api/settings';
      const headers = { Origin: origin };
      for (const page of [{ initiatorOrigin: origin }, { initiatorOrigin: origin, headers }]) {
        const response = await ask(url, { ...page, method: 'POST', body: '{}' });
        expect(response.status).toBe(403);
      }
      expect(forwarded).toEqual([]);
    },
  );

  it('is refused without a page, and if a page claims to be the shell', async () => {
    const headers = { Origin: 'app://shell', Referer: 'app://shell/' };
    for (const initiatorOrigin of [null, 'null'])
      expect((await ask('app://shell/api/settings', { initiatorOrigin, headers })).status).toBe(
        403,
      );
    expect(forwarded).toEqual([]);
  });
});

describe('the token', () => {
  it('is in no answer', async () => {
    const texts: string[] = [];
    for (const url of [
      '/',
      '/index.html',
      '/unknown',
      '/api/health',
      '/api/unknown',
      '/actuator/x',
    ])
      for (const initiatorOrigin of ['app://shell', 'null', null]) {
        const response = await ask(`app://shell${url}`, { initiatorOrigin });
        texts.push(await response.text(), JSON.stringify([...response.headers]));
      }
    expect(texts.join('\n')).toContain('Shell');
    expect(texts.join('\n')).not.toContain(token);
  });
});
