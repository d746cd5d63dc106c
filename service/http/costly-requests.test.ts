import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { api } from '../contract/index.ts';
import { ask, startTestHost } from '../testing/test-host.ts';
import { useForFile } from '../testing/use-for-file.ts';

const test = await useForFile(startTestHost());

const json = { 'Content-Type': 'application/json' };
const isAlive = async (): Promise<boolean> =>
  (await ask(test.port, '/api/health', {})).status === 200;

describe('a body', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  it.each([
    ['PUT', '/api/settings', `{"hooks":${deep}}`],
    ['PUT', '/api/settings', deep],
    ['POST', '/api/notifications', `{"name":"d","plan":{"steps":[]},"graph":${deep}}`],
    ['POST', '/api/notifications', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
  ])(
    'of 20 000 levels is refused by settings and notifications, the endpoints that take JSON today (H-050): %s %s',
    async (method, path, body) => {
      const answer = await test.ask(path, { method, headers: json, body });
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({ code: 'json_too_deep' });
      expect(await isAlive()).toBe(true);
    },
  );

  it('that would inflate to 1 GiB is refused unread (H-054)', async () => {
    const part = gzipSync(Buffer.alloc(16 * 1024 * 1024, ' '));
    const body = Buffer.concat(Array.from({ length: 64 }, () => part));
    const before = process.memoryUsage().rss;
    for (const coding of ['gzip', 'deflate', 'br', 'gzip, gzip']) {
      const headers = { ...json, 'Content-Encoding': coding };
      const answer = await test.ask('/api/settings', { method: 'PUT', headers, body });
      expect(answer.status, coding).toBe(415);
      expect(answer.json()).toMatchObject({ code: 'compressed_body' });
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    expect(await isAlive()).toBe(true);
  });

  it('of more than 8 MiB is refused, announced or not', async () => {
    const body = JSON.stringify({ workspaceDirectory: 'x'.repeat(8 * 1024 * 1024) });
    const announced = await test.ask('/api/settings', { method: 'PUT', headers: json, body });
    const headers = { ...json, 'Transfer-Encoding': 'chunked' };
    const unannounced = await test.ask('/api/settings', { method: 'PUT', headers, body });
    for (const answer of [announced, unannounced]) {
      expect(answer.status).toBe(413);
      expect(answer.json()).toMatchObject({
        code: 'body_too_large',
        detail: 'The body is larger than 8 MiB.',
      });
    }
    expect((await test.client.call(api.settings.get)).workspaceDirectory).toBe('');
  });

  it.each([
    ['PUT', '/api/settings', '[]'],
    ['PUT', '/api/settings', 'null'],
    ['PUT', '/api/settings', '"theme"'],
    ['PUT', '/api/settings', ''],
    ['PUT', '/api/settings', '{"theme":"dark"'],
    ['PUT', '/api/settings', '{"theme":"dark"}{'],
    ['PUT', '/api/settings', "{'theme':'dark'}"],
    ['PUT', '/api/settings', '{"theme":NaN}'],
    ['PUT', '/api/settings', '\ufeff{"theme":"dark"}x'],
    ['POST', '/api/notifications', '{}'],
    ['PATCH', '/api/plugin-market/p1/enabled', '{"enabled":"true"}'],
    ['POST', '/api/setup/initialize', '{"type":"ORACLE"}'],
  ])(
    'that is not what is asked for is refused with the reason: %s %s %s',
    async (method, path, body) => {
      const answer = await test.ask(path, { method, headers: json, body });
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({
        status: 400,
        code: expect.stringMatching(/^invalid_/) as unknown,
      });
      expect((await test.client.call(api.settings.get)).theme).toBe('light');
    },
  );

  it('of another type is refused', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ]) {
      const body = '{"theme":"dark"}';
      const headers = { 'Content-Type': type };
      const answer = await test.ask('/api/settings', { method: 'PUT', headers, body });
      expect(answer.status, type).toBe(415);
    }
    expect((await test.client.call(api.settings.get)).theme).toBe('light');
  });
});

it('ten thousand tickets are all different and long (H-046) [AUTH-11]', async () => {
  const head =
    'POST /api/ai/stream-ticket HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\nX-Host-Token: {T}\r\n';
  const answers = await test.raw(`${`${head}\r\n`.repeat(9_999)}${head}Connection: close\r\n\r\n`);
  const tickets = [...answers.matchAll(/"ticket":"([^"]*)"/g)].map(([, ticket]) => ticket);
  expect(tickets).toHaveLength(10_000);
  expect(new Set(tickets).size).toBe(10_000);
  for (const ticket of tickets) expect(ticket).toMatch(/^[A-Za-z0-9_-]{22,}$/);
});
