import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { api } from '../../../contract/index.ts';
import { openSession } from '../../../testing/debugging-session.ts';
import { installSample, invoke } from '../../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../../testing/test-host.ts';

const id = 'acme.debugged';
let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
  await test.client.call(api.settings.put, { body: { developerMode: true } });
  await installSample(test, { manifest: { id } });
});
afterAll(() => test.close());

async function ask(client: WebSocket, message: object): Promise<unknown> {
  client.send(JSON.stringify(message));
  const [answer] = (await once(client, 'message')) as [Buffer];
  return JSON.parse(answer.toString());
}

it('a worker without a sandbox can be debugged through the same pipe', async () => {
  const session = await openSession(test, id);
  const list = await (await fetch(`http://127.0.0.1:${session.port}/json`)).json();
  expect(list).toEqual([
    expect.objectContaining({
      title: id,
      type: 'node',
      url: `file://${session.root}/backend/worker.mjs`,
      webSocketDebuggerUrl: session.url,
    }),
  ]);
  const client = new WebSocket(session.url, { origin: 'devtools://devtools' });
  await once(client, 'open');
  const params = { expression: 'process.env.HOST_PLUGIN_ID' };
  expect(await ask(client, { id: 7, method: 'Runtime.evaluate', params })).toMatchObject({
    id: 7,
    result: { result: { value: id } },
  });
  expect(await ask(client, { id: 8, method: 'Nowhere.go' })).toMatchObject({
    id: 8,
    error: { code: -32_601, message: expect.stringContaining('Nowhere.go') as unknown },
  });
  expect(await invoke(test, id, 'echo', { word: 'on' })).toEqual({ word: 'on' });
  session.leave();
  await once(client, 'close');
});

it('a plugin that is disabled or uninstalled has no session', async () => {
  const session = await openSession(test, id);
  await test.client.call(api.market.uninstall, { params: { id }, query: { deleteData: 'true' } });
  expect(await session.ended).toMatchObject({ message: expect.stringContaining(id) as unknown });
  await installSample(test, { manifest: { id } });
  await test.client.call(api.market.setEnabled, { params: { id }, body: { enabled: false } });
  await expect(openSession(test, id)).rejects.toMatchObject({
    problem: { status: 409, code: 'plugin_disabled' },
  });
});
