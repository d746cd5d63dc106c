import { describe, expect, it } from 'vitest';
import { api, type PluginErrors } from '../../../contract/index.ts';
import { packPlugin } from '../../../testing/packages.ts';
import { startTestHost } from '../../../testing/test-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';
import { sourceLocation } from './source-location.ts';

const worker = `import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const log = (level, message) => send({ method: 'host.log', params: { level, logger: 'work', message } });
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'logs') {
    log('INFO', 'all is well');
    log('ERROR', 'lost the file at backend/lib/files.mjs:7:3');
  }
  if (method === 'dies') throw new Error('out of luck');
  if (id !== undefined) send({ id, result: null });
});
`;

const test = await useForFile(startTestHost());
const id = 'acme.errors';
const params = { id };

async function install(manifest: object = {}): Promise<void> {
  const packing = {
    manifest: {
      id,
      worker: { runtime: 'node' },
      methods: { logs: {}, dies: {} },
      ...manifest,
    },
    files: {
      'backend/worker.jar': null,
      'backend/worker.mjs': worker,
      'ui/index.html': '<!doctype html>\n<button onclick="go()">Go</button>',
    },
  };
  const file = new Blob([await packPlugin(packing)]);
  await test.client.call(api.market.upload, { file });
}
await install({ permisions: ['network'] });

const errors = (): Promise<PluginErrors> => test.client.call(api.plugins.errors, { params });
const invoke = (method: string) =>
  test.client
    .call(api.plugins.invoke, { params, body: { callId: crypto.randomUUID(), method } })
    .catch(() => undefined);
const report = (message: string, more: object = {}) =>
  test.client.call(api.plugins.addPageLog, {
    params,
    body: { level: 'ERROR', message, ...more },
  });

describe('the errors of a plugin', () => {
  it('begin with the warnings about its manifest and its page', async () => {
    const { errors: found, total } = await errors();
    expect(total).toBe(2);
    expect(found).toMatchObject([
      {
        origin: 'manifest',
        level: 'warning',
        place: { file: 'manifest.json' },
        text: { code: 'package.fieldProblem' },
        count: 1,
      },
      { origin: 'manifest', place: { file: 'ui/index.html', line: 2 } },
    ]);
    expect(found[0]?.message).toMatch(/^permisions /);
  });

  it('are those of the worker and the page, newest first, with repeated ones counted', async () => {
    await report('TypeError: x is undefined', {
      place: { file: 'ui/main.js', line: 4, column: 2 },
    });
    await invoke('logs');
    await report('TypeError: x is undefined', {
      place: { file: 'ui/main.js', line: 4, column: 2 },
    });
    const { errors: found, total } = await errors();
    expect(total).toBe(5);
    expect(found.slice(0, 2)).toMatchObject([
      {
        origin: 'page',
        message: 'TypeError: x is undefined',
        count: 2,
        place: { file: 'ui/main.js', line: 4, column: 2 },
      },
      {
        origin: 'worker',
        level: 'error',
        count: 1,
        place: { file: 'backend/lib/files.mjs', line: 7, column: 3 },
      },
    ]);
    expect(found).toHaveLength(4);
  });

  it('include a crash, with the last output of the worker and the line that threw', async () => {
    await invoke('dies');
    const [crash] = (await errors()).errors;
    expect(crash).toMatchObject({
      origin: 'worker',
      count: 1,
      text: { code: 'plugins.workerExited', parameters: { code: '1' } },
      place: { file: 'backend/worker.mjs', line: 10 },
    });
    expect(crash?.details).toContain('Error: out of luck');
  });

  it('can be cleared, and warnings return only with the next installation', async () => {
    await test.client.call(api.plugins.clearErrors, { params });
    expect(await errors()).toEqual({ errors: [], total: 0 });
    await report('later');
    expect((await errors()).total).toBe(1);
    await install();
    expect((await errors()).errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^ui\/index\.html:2 /),
      'later',
    ]);
  });

  it('are limited to 100 different ones, and all are counted', async () => {
    await test.client.call(api.plugins.clearErrors, { params });
    for (let index = 1; index <= 120; index += 1) await report(`number ${index}`);
    const { errors: found, total } = await errors();
    expect(total).toBe(120);
    expect(found).toHaveLength(100);
    expect([found[0]?.message, found.at(-1)?.message]).toEqual(['number 120', 'number 21']);
  });

  it('of an unknown plugin return 404', async () => {
    for (const method of ['GET', 'DELETE'])
      expect((await test.ask('/api/plugin-runtime/acme.none/errors', { method })).status).toBe(404);
  });
});

describe('the location of an error', () => {
  it.each([
    [
      'Error: x\n at run (file:///plugin/backend/plugin-kit/worker.mjs:9:1)\n at count (file:///plugin/backend/worker.mjs:12:9)',
      { file: 'backend/worker.mjs', line: 12, column: 9 },
    ],
    [
      'java.lang.IllegalStateException\n\tat java.base/java.util.Optional.get(Optional.java:143)\n\tat plugin.Main.count(Main.java:20)',
      { file: 'Main.java', line: 20 },
    ],
    ['Error: nothing that is of the plugin\n at /usr/lib/node.js:3:4', undefined],
  ])('of %j', (text, location) => {
    expect(sourceLocation(text)).toEqual(location);
  });
});
