import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../contract/index.ts';
import { localOrigins, shellPolicy } from '../contract/page-policies.ts';
import { type Answer, ask, startTestHost, type TestHost } from '../testing/test-host.ts';

let shell: string;
let test: TestHost;
let clockMs = 0;
beforeAll(async () => {
  shell = await mkdtemp(join(tmpdir(), 'web-shell-'));
  await mkdir(join(shell, 'assets'));
  await writeFile(
    join(shell, 'index.html'),
    '<!doctype html><meta name="csp-nonce" content="__STYLE_NONCE__"><p>__STYLE_NONCE__ __SHELL_LOOK__</p>',
  );
  await writeFile(join(shell, 'assets', 'main-1a2b.js'), 'export {};');
  await writeFile(join(shell, 'assets', '.secret'), 'hidden');
  await writeFile(join(shell, 'outside.js'), 'outside');
  const resources = { shell, bridge: shell, plugins: join(shell, 'no-plugins'), h2Bridge: null };
  test = await startTestHost({ setup: null, resources, now: () => clockMs });
});
afterAll(async () => {
  await test.close();
  await rm(shell, { recursive: true });
});

const get = (path: string): Promise<Answer> => ask(test.port, path, {});
const exchange = (ticket: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(test.port, '/api/web/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ ticket }),
  });

describe.each(['SETUP', 'APP'])('in %s mode', (mode) => {
  beforeEach(async () => {
    if (mode === 'APP' && test.host.mode() === 'SETUP')
      await test.client.call(api.setup.initialize, { body: { type: 'SQLITE' } });
    expect(test.host.mode()).toBe(mode);
  });

  it('the page is served without a token, under a policy with its own nonce', async () => {
    const [one, two] = [await get('/'), await get('/')];
    const nonceOf = ({ headers, text }: Answer): string => {
      const policy = String(headers['content-security-policy']);
      const nonce = /'nonce-([A-Za-z0-9_-]{22})'/.exec(policy)?.[1] ?? 'none';
      const appearance = mode === 'APP' ? 'light en' : 'setup';
      expect(text).toBe(
        `<!doctype html><meta name="csp-nonce" content="${nonce}"><p>${nonce} ${appearance}</p>`,
      );
      expect(policy).toBe(shellPolicy(nonce, localOrigins(test.port)));
      expect(policy).not.toMatch(/unsafe/);
      return nonce;
    };
    expect(nonceOf(one)).not.toBe(nonceOf(two));
    expect(one.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(one.text).not.toContain(test.token);
  });

  it('its built files are served, and no others', async () => {
    const asset = await get('/assets/main-1a2b.js');
    expect(asset.status).toBe(200);
    expect(asset.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'referrer-policy': 'no-referrer',
    });
    expect(asset.headers).not.toHaveProperty('access-control-allow-origin');
    const others = [
      '/assets/none.js',
      '/assets/.secret',
      '/assets/',
      '/assets',
      '/index.html',
      '/outside.js',
    ];
    for (const path of [...others, '/assets/../outside.js', '/assets/..%2foutside.js'])
      expect([400, 404], path).toContain((await get(path)).status);
  });

  it('HEAD of its files has the headers of GET and no body', async () => {
    for (const path of ['/assets/main-1a2b.js', '/']) {
      const [file, head] = [await get(path), await ask(test.port, path, { method: 'HEAD' })];
      expect(head, path).toMatchObject({ status: 200, text: '' });
      for (const name of ['content-type', 'content-length', 'cache-control', 'etag'])
        expect(head.headers[name], `${path} ${name}`).toBe(file.headers[name]);
    }
    expect((await ask(test.port, '/assets/none.js', { method: 'HEAD' })).status).toBe(404);
  });

  it('a HEAD request to the exchange does not use up a ticket', async () => {
    const ticket = test.host.mintWebTicket();
    const head = await ask(test.port, '/api/web/session', {
      method: 'HEAD',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ticket }),
    });
    expect(head.status).toBe(405);
    expect((await exchange(ticket)).status).toBe(200);
  });

  it('a ticket is exchanged for the token once', async () => {
    const ticket = test.host.mintWebTicket();
    const first = await exchange(ticket);
    expect(first.status).toBe(200);
    expect(first.json()).toEqual({ token: test.token });
    expect(first.headers['cache-control']).toBe('no-store');
    const second = await exchange(ticket);
    expect(second.status).toBe(410);
    expect(second.json()).toMatchObject({ code: 'ticket_used' });
    expect(second.text).not.toContain(test.token);
  });

  it('a ticket is good for ten minutes', async () => {
    const [early, late] = [test.host.mintWebTicket(), test.host.mintWebTicket()];
    clockMs += 10 * 60_000 - 1;
    expect((await exchange(early)).status).toBe(200);
    clockMs += 1;
    expect((await exchange(late)).status).toBe(410);
  });

  it('only pages of the host may request the token', async () => {
    for (const Origin of ['https://evil.test', 'null', `http://localhost:${test.port + 1}`]) {
      const ticket = test.host.mintWebTicket();
      expect((await exchange(ticket, { Origin })).status, Origin).toBe(403);
      const own = { Origin: `http://127.0.0.1:${test.port}` };
      expect((await exchange(ticket, own)).status).toBe(200);
    }
  });

  it('anything else than a ticket is refused', async () => {
    for (const ticket of ['', 'x', 'x'.repeat(200)])
      expect((await exchange(ticket)).status).toBe(410);
    for (const ticket of [undefined, null, 7, {}, 'x'.repeat(201)])
      expect((await exchange(ticket)).status).toBe(400);
    const minted = test.host.mintWebTicket();
    const inUrl = await ask(test.port, `/api/web/session?ticket=${minted}`, { method: 'POST' });
    expect(inUrl.status).toBe(400);
  });
});

it('the page contains its appearance from the settings', async () => {
  const body = { theme: 'dark', language: 'zh-CN', sidebarCollapsed: true } as const;
  await test.client.call(api.settings.put, { body });
  expect((await get('/')).text).toContain('dark zh-CN collapsed</p>');
});

it('without the built shell there is neither a page nor an exchange', async () => {
  const plain = await startTestHost();
  expect((await plain.ask('/')).status).toBe(404);
  const ticket = plain.host.mintWebTicket();
  const answer = await plain.ask('/api/web/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ticket }),
  });
  expect(answer.status).toBe(404);
  await plain.close();
});
