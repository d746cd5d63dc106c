import { beforeAll, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { installSample } from '../../testing/sample-plugin.ts';
import { wantsEvents } from './call-events.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const id = 'com.example.calls';

const host = await useForFile(startTestHost());

beforeAll(async () => {
  await installSample(host, { manifest: { id } });
});

async function events(method: string, plugin = id): Promise<{ event: string; data: unknown }[]> {
  const { status, headers, text } = await host.ask(`/api/plugin-runtime/${plugin}/invoke`, {
    method: 'POST',
    headers: { Accept: 'text/event-stream', 'Content-Type': 'application/json' },
    body: JSON.stringify({ callId: `c-${method}`, method, params: {} }),
  });
  expect(status).toBe(200);
  expect(headers['content-type']).toContain('text/event-stream');
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('event:'))
    .map((frame) => {
      const [event = '', data = ''] = frame.split('\n');
      return { event: event.slice('event: '.length), data: JSON.parse(data.slice(6)) as unknown };
    });
}

it('a call streams its progress and then its result if the client accepts events', async () => {
  expect(await events('progress')).toEqual([
    { event: 'progress', data: { callId: 'c-progress', percent: 40, message: 'half' } },
    { event: 'result', data: { callId: 'c-progress', result: 'done' } },
  ]);
});

it('an error of the worker is a result, and a problem is sent as the last event', async () => {
  expect(await events('fail')).toEqual([
    { event: 'result', data: expect.objectContaining({ error: expect.anything() as unknown }) },
  ]);
  expect(await events('nowhere')).toEqual([
    { event: 'error', data: expect.objectContaining({ status: 404, code: 'unknown_method' }) },
  ]);
  expect(await events('echo', 'com.example.gone')).toEqual([
    { event: 'error', data: expect.objectContaining({ status: 404, code: 'unknown_plugin' }) },
  ]);
});

it('the typed client yields the events and throws the problem', async () => {
  const params = { id };
  const seen: string[] = [];
  const body = { callId: 'typed', method: 'progress' };
  for await (const { event } of host.client.stream(api.plugins.invoke, { params, body }))
    seen.push(event);
  expect(seen).toEqual(['progress', 'result']);
  const failing = host.client.stream(api.plugins.invoke, {
    params,
    body: { callId: 'typed', method: 'nowhere' },
  });
  await expect(failing.next()).rejects.toMatchObject({ problem: { code: 'unknown_method' } });
});

it.each([
  ['text/event-stream', true],
  ['text/event-stream, application/json', true],
  ['text/event-stream;q=0.9, */*;q=0.1', true],
  ['application/json;q=0.5, Text/Event-Stream', true],
  ['application/json, text/event-stream', false],
  ['text/event-stream;q=0.5, application/json', false],
  ['text/event-stream;q=0', false],
  ['text/event-streams', false],
  ['*/*', false],
  [undefined, false],
])('Accept %s selects an event stream: %s', (accept, expected) => {
  expect(wantsEvents(accept)).toBe(expected);
});

it('a client that does not accept events gets JSON', async () => {
  const body = { callId: 'plain', method: 'progress' };
  const reply = await host.client.call(api.plugins.invoke, { params: { id }, body });
  expect(reply).toEqual({ callId: 'plain', result: 'done' });
});
