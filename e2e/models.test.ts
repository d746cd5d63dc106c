import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { AiMode, api } from '../service/contract/index.ts';
import { dialects, type RawModel, startRawModel } from '../service/testing/models/raw-model.ts';
import { createHosts } from './built-host.ts';

const hosts = createHosts();
let model: RawModel;
beforeAll(async () => {
  model = await startRawModel();
});
afterEach(() => hosts.cleanUp());
afterAll(() => model.close());

it('the built host talks to a model server of every kind', async () => {
  const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'] });
  const client = await host.client();
  for (const mode of AiMode.options) {
    const { contentType, prologue: start, text, end } = dialects[mode];
    model.script((res, { method, path }) => {
      if (method === 'POST')
        res.writeHead(200, { 'Content-Type': contentType }).end(start + text('Hi') + end);
      else {
        const key = path === '/api/tags' ? 'models' : 'data';
        res.writeHead(200, { 'Content-Type': 'application/json' });
        res.end(JSON.stringify({ [key]: [{ id: 'm', name: 'm' }] }));
      }
    });
    const body = { mode, baseUrl: model.base, apiKey: 'a-key', model: 'm' };
    const result = await client.call(api.aiConfig.test, { body });
    expect(result, mode).toMatchObject({ success: true, models: ['m'] });
  }
  expect(host.stderr()).not.toContain('a-key');
  await host.stop();
});
