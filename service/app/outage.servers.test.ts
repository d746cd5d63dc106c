import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Notification, SetupStatus } from '../contract/index.ts';
import { type OwnServer, startMariadb, startPostgres } from '../testing/database-servers/index.ts';
import { startTestHost, type TestHost } from '../testing/test-host.ts';

/** The probe takes at most 5 s; SETUP must be reached within 8 s. */
const setupLimitMs = 8_000;

describe.each([
  { type: 'POSTGRESQL' as const, startServer: startPostgres },
  { type: 'MYSQL' as const, startServer: startMariadb },
])('a $type server that goes away', ({ type, startServer }) => {
  let server: OwnServer;
  let host: TestHost;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    host = await startTestHost({ setup: null });
    const { host: name, port, username, password } = server;
    const database = await server.makeDatabase();
    const params = { host: name, port, username, password, database };
    expect((await post('/api/setup/initialize', { type, params })).status).toBe(200);
  });
  afterEach(async () => {
    // After a test that timed out, the next test finds the server running.
    await server.thaw();
    await host.close();
  });

  const post = (path: string, body?: object): ReturnType<TestHost['ask']> =>
    host.ask(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    });
  const notify = async (title: string): Promise<number> =>
    (await post('/api/notifications', { source: 'host', level: 'info', title })).status;
  const titles = async (): Promise<string[]> =>
    ((await host.ask('/api/notifications')).json() as Notification[]).map(({ title }) => title);
  const status = async (): Promise<SetupStatus> =>
    (await host.ask('/api/setup/status')).json() as SetupStatus;
  const restart = async (): Promise<number> => {
    const { workDirectory } = host;
    await host.stop();
    const startedMs = performance.now();
    host = await startTestHost({ workDirectory, setup: null });
    return performance.now() - startedMs;
  };

  it.each([
    ['is stopped', () => server.stop(), () => server.start(), /Nothing answers at 127\.0\.0\.1/],
    [
      'is silent',
      () => server.freeze(),
      () => server.thaw(),
      /does not answer|not answer within 5/,
    ],
  ])(
    'before the start, because it %s, leads to SETUP with the reason, and back with all data (R-05) [SETUP-14, LIMIT-02]',
    async (_, leave, comeBack, reason) => {
      expect(await notify('Before')).toBe(201);
      await leave();
      try {
        const took = await restart();
        expect(took).toBeLessThan(setupLimitMs);
        expect(host.host.mode()).toBe('SETUP');
        expect(await status()).toMatchObject({
          initialized: false,
          reason: { code: 'connection_failed', message: expect.stringMatching(reason) as unknown },
          previous: { type, backup: 'datasource.properties.bak' },
        });
        const again = await post('/api/setup/continue');
        expect(again.status).toBe(422);
        await restart();
        expect((await status()).previous?.backup).toBe('datasource.properties.bak');
      } finally {
        await comeBack();
      }
      await expect.poll(async () => (await post('/api/setup/continue')).status).toBe(200);
      expect(host.host.mode()).toBe('APP');
      expect(await titles()).toEqual(['Before']);
    },
  );

  it('while the host runs causes 503 with a reason, keeps the streams open, and recovers (R-06)', async () => {
    expect(await notify('Before')).toBe(201);
    const { ticket } = (await post('/api/notifications/stream-ticket')).json() as {
      ticket: string;
    };
    const stream = await host.open(`/api/notifications/stream?ticket=${ticket}`, {
      headers: { 'X-Host-Token': '' },
    });
    await server.kill();
    try {
      for (const path of ['/api/notifications', '/api/notifications/unread-count']) {
        const answer = await host.ask(path);
        expect(answer.status, answer.text).toBe(503);
        expect(answer.json()).toMatchObject({
          code: 'database_unavailable',
          detail: 'The database does not answer. Try again in a moment.',
        });
      }
      expect(await notify('Meanwhile')).toBe(503);
      expect((await host.ask('/api/health', { headers: { 'X-Host-Token': '' } })).status).toBe(200);
      expect(host.host.mode()).toBe('APP');
      expect(stream.ended()).toBe(false);
    } finally {
      await server.start();
    }
    await expect.poll(() => notify('After')).toBe(201);
    await expect.poll(() => stream.text()).toContain('"title":"After"');
    stream.drop();
    expect(await titles()).toEqual(['After', 'Before']);
  });

  it('without a closed connection causes 503 after a bounded time, and recovers', async () => {
    expect(await notify('Before')).toBe(201);
    await server.freeze();
    const startedMs = performance.now();
    try {
      const answers = await Promise.all([1, 2, 3].map(() => host.ask('/api/notifications')));
      expect(answers.map((answer) => answer.status)).toEqual([503, 503, 503]);
      expect(performance.now() - startedMs).toBeLessThan(30_000);
    } finally {
      await server.thaw();
    }
    await expect.poll(async () => (await host.ask('/api/notifications')).status).toBe(200);
    expect(await titles()).toEqual(['Before']);
  });
});
