import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type Endpoint, endpoint, open, type TicketFamily, token } from '../contract/index.ts';
import { HostError } from '../core/host-error.ts';
import { packPlugin } from '../testing/packages.ts';
import { ask, startTestHost } from '../testing/test-host.ts';
import { TicketRegistry } from './access.ts';
import { mount } from './mount.ts';
import { OpenStreams } from './open-streams.ts';
import { type Route, route } from './route.ts';
import { useForFile } from '../testing/use-for-file.ts';

const endpoints: [string, Endpoint][] = Object.entries(api).flatMap(([group, members]) =>
  Object.entries(members as Record<string, Endpoint>).map(([name, value]): [string, Endpoint] => [
    `${group}.${name}`,
    value,
  ]),
);
const gated = endpoints.filter(([, { access }]) => access.kind === 'token');

/** A path of the endpoint, with `p1` for every parameter. */
const pathOf = ({ path }: Endpoint): string => path.replace(/\{\*?\w+\}/g, 'p1');

const test = await useForFile(startTestHost());

beforeAll(async () => {
  const file = new Blob([await packPlugin({ manifest: { id: 'p1' } })]);
  await test.client.call(api.market.upload, { file });
});

/** The state that a request could have changed. */
async function state(): Promise<unknown> {
  const { client, paths } = test;
  return {
    settings: await client.call(api.settings.get),
    plugins: await client.call(api.market.list),
    notifications: await client.call(api.notifications.list),
    configuration: await readFile(paths.dataSource, 'utf8'),
    mode: test.host.mode(),
  };
}

describe('the token', () => {
  it('opens every endpoint of the service, and each of them exists [AUTH-01, SETUP-02]', async () => {
    for (const [name, endpoint] of endpoints) {
      if (endpoint === api.host.webSession) continue;
      const other = await test.ask(pathOf(endpoint), { method: 'OPTIONS' });
      expect(other.status, name).toBe(405);
      expect(other.headers.allow?.split(', '), name).toContain(endpoint.method);
    }
    for (const [name, endpoint] of gated) {
      if (endpoint === api.settings.resetDatabase) continue;
      const answer = await test.open(pathOf(endpoint), { method: endpoint.method });
      answer.drop();
      // 403 only for a missing permission of the plugin, and for a debugger while developer mode is
      // off; 409 when it is not in the right state.
      const { files, market, contributions, aiConfig, unpacked, updates, developer, hosts } = api;
      const refused: unknown[] = [...Object.values(files), developer.inspect];
      const lacking = refused.includes(endpoint) ? [403] : [];
      const states: unknown[] = [market.install, market.update, contributions.trust];
      states.push(
        hosts.recoveryText,
        updates.check,
        updates.install,
        updates.restart,
        ...Object.values(unpacked),
      );
      const unfit = states.includes(endpoint) ? [409] : [];
      // No model server answers here.
      if (endpoint === aiConfig.models) unfit.push(502);
      expect([200, 201, 204, 400, 404, 415, ...lacking, ...unfit], name).toContain(answer.status);
    }
  });

  it.each([
    ['no token', undefined],
    ['an empty one', ''],
    ['another one', 'x'.repeat(32)],
  ])(
    'is missed at every endpoint that asks for it, and nothing happens (H-013): %s [AUTH-02, AUTH-10, AUTH-16]',
    async (_, provided) => {
      const before = await state();
      expect(gated.length).toBeGreaterThan(20);
      for (const [name, endpoint] of gated) {
        const path =
          pathOf(endpoint) + (endpoint === api.market.uninstall ? '?deleteData=true' : '');
        const header = provided === undefined ? '' : `X-Host-Token: ${provided}\r\n`;
        const body = '{"enabled":false,"theme":"dark","source":"host","level":"info","title":"x"}';
        const answer = await test.raw(
          `${endpoint.method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n${header}` +
            `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
            `Connection: close\r\n\r\n${body}`,
        );
        expect(answer, name).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
        expect(answer, name).toContain('"code":"invalid_token"');
      }
      expect(await state()).toEqual(before);
      expect((await ask(test.port, '/api/health', {})).json()).toEqual({ status: 'ok' });
    },
  );

  it('is required on each request, even on a connection that was used before [AUTH-02]', async () => {
    const head = 'GET /api/settings HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n';
    const answers = await test.raw(
      `${head}X-Host-Token: {T}\r\n\r\n${head}Connection: close\r\n\r\n`,
    );
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401']);
  });

  it('is compared exactly [AUTH-02]', async () => {
    const other = await startTestHost({ token: 'Correct-Horse-Battery' });
    const tries = [
      'correct-horse-battery',
      'CORRECT-HORSE-BATTERY',
      'Correct-Horse-Batter',
      'Correct-Horse-Battery!',
      'orrect-Horse-Battery',
      '"Correct-Horse-Battery"',
      'Bearer Correct-Horse-Battery',
      'Correct-Horse-Battery, Correct-Horse-Battery',
    ];
    for (const provided of tries) {
      const answer = await ask(other.port, '/api/settings', {
        headers: { 'X-Host-Token': provided },
      });
      expect(answer.status, provided).toBe(401);
    }
    const right = { 'x-hOST-tOKEN': other.token };
    expect((await ask(other.port, '/api/settings', { headers: right })).status).toBe(200);
    await other.close();
  });

  it('in another part of the request opens nothing [AUTH-13]', async () => {
    for (const [name, endpoint] of endpoints.filter(([, { method }]) => method === 'GET')) {
      if (!['token', 'ticket'].includes(endpoint.access.kind)) continue;
      const query = `token=${test.token}&ticket=${test.token}&X-Host-Token=${test.token}`;
      const answer = await ask(test.port, `${pathOf(endpoint)}?${query}&streamId=a&runId=a`, {
        headers: { Authorization: `Bearer ${test.token}`, Cookie: `X-Host-Token=${test.token}` },
      });
      expect(answer.status, name).toBe(401);
    }
  });

  it('that is not configured opens nothing (H-018) [AUTH-16]', async () => {
    const open = await startTestHost({ token: '' });
    for (const header of ['', 'X-Host-Token:\r\n', 'X-Host-Token: \r\n', 'X-Host-Token: x\r\n']) {
      const answer = await open.raw(
        `GET /api/settings HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n${header}Connection: close\r\n\r\n`,
      );
      expect(answer, JSON.stringify(header)).toMatch(/^HTTP\/1\.1 401 /);
    }
    await open.close();
  });
});

describe('without the token', () => {
  it('exactly these endpoints answer [AUTH-03, AUTH-04, AUTH-05]', () => {
    const free = endpoints.filter(([, { access }]) => access.kind === 'open').map(([name]) => name);
    expect(free.sort()).toEqual(['host.health', 'host.webSession', 'plugins.asset']);
    const wizard = endpoints.filter(([, { access }]) => access.kind.startsWith('setup'));
    for (const [, { path }] of wizard) expect(path).toMatch(/^\/api\/setup\//);
    for (const [name, { access }] of endpoints)
      expect(['open', 'token', 'setup', 'setup-or-token', 'ticket'], name).toContain(access.kind);
  });

  it('health answers [AUTH-03, HTTP-04]', async () => {
    const answer = await ask(test.port, '/api/health', {});
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ status: 'ok' });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('the static files of a plugin page are served, its API is not [AUTH-05, AUTH-06]', async () => {
    const page = await ask(test.port, '/plugin-runtime/p1/index.html', {});
    expect(page.status).toBe(200);
    expect(page.text).toContain('<title>Demo</title>');
    for (const path of ['', '/p1', '/p1/logs', '/p1/logs/stream', '/p1/invoke', '/p1/anything'])
      expect((await ask(test.port, `/api/plugin-runtime${path}`, {})).status, path).toBe(401);
  });

  it('an unknown address of the API answers like an existing one [AUTH-16]', async () => {
    for (const path of ['/api/nothing', '/api/settings/nothing', '/api/', '/actuator/nothing']) {
      const answer = await ask(test.port, path, {});
      expect(answer.status, path).toBe(401);
      expect(answer.json()).toMatchObject({ code: 'invalid_token' });
      expect((await test.ask(path)).status, path).toBe(404);
    }
  });

  it('another web page is refused at every address and gets no information', async () => {
    for (const [name, endpoint] of endpoints) {
      const Origin = 'https://evil.test';
      const headers = { 'X-Host-Token': test.token, Origin };
      const isStatic = endpoint === api.plugins.asset;
      const path = isStatic ? '/plugin-runtime/p1/index.html' : pathOf(endpoint);
      const answer = await ask(test.port, path, { method: endpoint.method, headers });
      expect(answer.status, name).toBe(403);
      expect(answer.headers, name).not.toHaveProperty('access-control-allow-origin');
      expect(answer.headers, name).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  it('the shell of the desktop and the pages of the host are allowed', async () => {
    const origins = [
      `http://127.0.0.1:${test.port}`,
      `http://localhost:${test.port}`,
      'app://shell',
    ];
    for (const Origin of origins)
      expect((await test.ask('/api/settings', { headers: { Origin } })).status, Origin).toBe(200);
    for (const Origin of [
      'app://shell.evil',
      'app://shell/',
      'http://127.0.0.1',
      'file://',
      'null',
    ])
      expect((await test.ask('/api/settings', { headers: { Origin } })).status, Origin).toBe(403);
  });

  it.each([
    'evil.test',
    '127.0.0.1',
    'localhost:1',
    '127.0.0.1:{P}.evil.test',
    'user@127.0.0.1:{P}',
  ])('a Host that is not this service is refused: %s', async (Host) => {
    const headers = { Host: Host.replace('{P}', String(test.port)) };
    expect((await test.ask('/api/settings', { headers })).status).toBe(403);
  });
});

describe('a ticket', () => {
  const streams: [TicketFamily, string, string][] = [
    ['chat', '/api/ai/stream-ticket', '/api/ai/stream?streamId=none&'],
    ['agent', '/api/agent/stream-ticket', '/api/agent/stream?runId=none&'],
    ['notifications', '/api/notifications/stream-ticket', '/api/notifications/stream?'],
  ];
  const mint = async (path: string): Promise<string> => {
    const answer = await test.ask(path, { method: 'POST' });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      ticket: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as unknown,
      expiresInSeconds: 30,
    });
    return (answer.json() as { ticket: string }).ticket;
  };
  /** A valid ticket leads to the stream, or to the response that there is no such stream. */
  const passes = async (path: string): Promise<boolean> => {
    const answer = await test.open(path, { headers: { 'X-Host-Token': '' } });
    answer.drop();
    return answer.status === 200 || answer.status === 404;
  };

  it.each(streams)('of the %s family opens once [AUTH-09, AUTH-11]', async (_, minting, stream) => {
    const ticket = await mint(minting);
    expect(await passes(`${stream}ticket=${ticket}`)).toBe(true);
    expect(await passes(`${stream}ticket=${ticket}`)).toBe(false);
  });

  it.each(streams)(
    'of the %s family is not used up by a HEAD, nor by any other method but GET',
    async (family, minting, stream) => {
      const ticket = await mint(minting);
      const path = `${stream}ticket=${ticket}`;
      const noToken = { 'X-Host-Token': '' };
      for (let time = 0; time < 3; time += 1) {
        const head = await test.raw(
          `HEAD ${path} HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\nConnection: close\r\n\r\n`,
        );
        // For a missing stream, the same 404 as GET.
        expect(head).toMatch(family === 'notifications' ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 404 /);
        expect(head.split('\r\n\r\n')[1]).toBe('');
      }
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
        expect((await test.ask(path, { method, headers: noToken })).status, method).toBe(405);
      expect(await passes(path)).toBe(true);
      const spent = await test.ask(path, { method: 'HEAD', headers: noToken });
      expect(spent.status).toBe(401);
    },
  );

  it('of another family opens no HEAD request, and is not used up by it', async () => {
    for (const [family, minting, own] of streams) {
      const ticket = await mint(minting);
      for (const [, , stream] of streams.filter(([name]) => name !== family)) {
        const path = `${stream}ticket=${ticket}`;
        const head = await test.ask(path, { method: 'HEAD', headers: { 'X-Host-Token': '' } });
        expect(head.status).toBe(401);
      }
      expect(await passes(`${own}ticket=${ticket}`)).toBe(true);
    }
  });

  it('opens no stream of another family, and is used up [AUTH-12]', async () => {
    for (const [family, minting, own] of streams) {
      for (const [other, , stream] of streams.filter(([name]) => name !== family)) {
        const ticket = await mint(minting);
        expect(await passes(`${stream}ticket=${ticket}`), `${family} at ${other}`).toBe(false);
        expect(await passes(`${own}ticket=${ticket}`), `${family} after ${other}`).toBe(false);
      }
    }
  });

  it('opens no other endpoint [AUTH-12, AUTH-13]', async () => {
    const ticket = await mint('/api/notifications/stream-ticket');
    const headers = { 'X-Host-Token': ticket };
    expect((await ask(test.port, `/api/settings?ticket=${ticket}`, { headers })).status).toBe(401);
    expect(await passes(`/api/notifications/stream?ticket=${ticket}`)).toBe(true);
  });

  it('is the only way to open the notification stream [AUTH-09, AUTH-15]', async () => {
    for (const path of ['/api/notifications/stream', '/api/notifications/stream?ticket=']) {
      const answer = await test.ask(path);
      expect(answer.status).toBe(401);
      expect(answer.json()).toMatchObject({ code: 'invalid_ticket' });
    }
  });
});

describe('a route', () => {
  let server: Server;
  afterAll(() => server.close());

  it('that declares no access cannot be reached (H-013)', async () => {
    let reached = 0;
    const routes: Route[] = [
      route(endpoint({ method: 'GET', path: '/api/open', access: open, summary: 'x' }), () => {
        reached += 1;
        return undefined;
      }),
      route(endpoint({ method: 'GET', path: '/api/closed', access: token, summary: 'x' }), () => {
        reached += 100;
        return undefined;
      }),
      {
        endpoint: { method: 'GET', path: '/api/forgotten', summary: 'x' } as unknown as Endpoint,
        handle: () => (reached += 100),
      },
    ];
    const failures: unknown[] = [];
    const listener = mount({
      routes,
      port: () => (server.address() as AddressInfo).port,
      token: Buffer.from('secret'),
      tickets: new TicketRegistry(),
      mode: 'APP',
      streams: new OpenStreams(),
      uploadDirectory: '/nowhere',
      unknownRoute: () => new HostError('missing', 'not_found', 'Nothing.'),
      onUnknownError(error) {
        failures.push(error);
        return undefined;
      },
    });
    server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const statuses = await Promise.all(
      ['open', 'closed', 'forgotten'].map(
        async (name) => (await ask(port, `/api/${name}`, {})).status,
      ),
    );
    expect(statuses).toEqual([204, 401, 500]);
    expect(reached).toBe(1);
    expect(failures).toHaveLength(1);
  });
});
