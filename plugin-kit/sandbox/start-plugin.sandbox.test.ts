import { appendFile, cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { useFolder } from '../../service/testing/use-for-file.ts';
import { kit } from '../testing/packed-plugin.ts';
import { PluginCallError } from './plugin-call.ts';
import { type StartedPlugin, startPlugin } from './start-plugin.ts';

const folder = await useFolder('started-plugin-');
const worker = `
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorker, failed } from './plugin-kit/worker.mjs';
let settings;
createWorker()
  .onInitialize((given) => (settings = given))
  .method('read', ({ file }) => readFileSync(file, 'utf8'))
  .method('write', ({ output }) => writeFileSync(join(output, 'a.txt'), 'written'))
  .method('home', () => readdirSync('/home').length)
  .method('settings', () => settings.config)
  .method('fail', () => { throw failed('It does not work.', 'broken'); })
  .method('wait', (_, { progress, signal }) => {
    progress(10, 'waiting');
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)));
  })
  .run();
`;
let plugin: StartedPlugin;

beforeAll(async () => {
  const directory = join(folder, 'plugin');
  await cp(join(kit, 'testing/fixtures/echo-node'), directory, { recursive: true });
  const methods = ['read', 'write', 'home', 'settings', 'fail', 'wait'];
  const manifest = {
    id: 'com.example.tested',
    name: 'Tested',
    version: '1.0.0',
    permissions: ['files.read', 'files.write'],
    worker: { runtime: 'node' },
    methods: Object.fromEntries(methods.map((name) => [name, {}])),
    userConfig: { unit: { type: 'string', title: 'Unit' } },
  };
  await writeFile(join(directory, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(directory, 'backend/worker.mjs'), worker);
  await writeFile(
    join(directory, 'ui/index.html'),
    '<script src="_host/plugin-client.js"></script>',
  );
  await appendFile(join(directory, 'ui/index.html'), '<script src="main.js"></script><p></p>');
  await writeFile(
    join(directory, 'ui/main.js'),
    `PluginClient.pickFile().then((file) => PluginClient.invoke('read', { file })).then((text) => {
      document.querySelector('p').textContent = text;
    });`,
  );
  plugin = await startPlugin({ directory, config: { unit: 'km' } });
});
afterAll(() => plugin.close());

test('errors of a page are written to the terminal when it is closed', async () => {
  const { page, errors, close } = await plugin.page();
  await page.frames()[1]?.evaluate("setTimeout(() => { throw new Error('broken'); })");
  await expect.poll(() => errors).toContain('broken');
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await close();
  const lines = written.mock.calls.map(([text]) => String(text));
  written.mockRestore();
  expect(lines).toContain('The page of com.example.tested reported: broken\n');
});

test('a method gets granted files as paths, and writes where it was granted to', async () => {
  const file = await plugin.grantText('a.txt', 'granted');
  expect(await plugin.call('read', { file })).toBe('granted');
  const output = await plugin.createOutput();
  await plugin.call('write', { output });
  expect(await plugin.filesIn(output)).toEqual(['a.txt']);
  expect((await plugin.readFileIn(output, 'a.txt')).toString()).toBe('written');
});

test('its worker is in the sandbox: it sees no home folder, and no file that was not granted', async () => {
  await expect(plugin.call('home')).rejects.toThrow('The method failed.');
  await expect(plugin.call('read', { file: import.meta.filename })).rejects.toThrow(
    'The method failed.',
  );
  expect(
    plugin
      .log()
      .map(({ message }) => message)
      .join(),
  ).toContain('ENOENT');
});

test('settings reach the worker, and errors the caller', async () => {
  expect(await plugin.call('settings')).toEqual({ unit: 'km' });
  const error: unknown = await plugin.call('fail').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PluginCallError);
  expect(error).toMatchObject({ code: -32000, data: { reason: 'broken' } });
  await expect(plugin.call('nothing')).rejects.toThrow('Tested has no method nothing.');
});

test('a call reports its progress and can be cancelled', async () => {
  const shutdown = new AbortController();
  const onProgress = (): void => shutdown.abort();
  const call = plugin.call('wait', {}, { signal: shutdown.signal, onProgress });
  await expect(call).rejects.toThrow('cancelled');
});

test('its page runs in Chromium and receives the chosen file', async () => {
  const page = await plugin.page();
  page.pick(await plugin.grantText('b.txt', 'picked'));
  await page.frame.getByText('picked').waitFor({ timeout: 20_000 });
  expect(page.errors).toEqual([]);
});
