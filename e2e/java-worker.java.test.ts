import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { packPlugin } from '../plugin-kit/pack.ts';
import { api } from '../service/contract/index.ts';
import { invoke, upload } from '../service/testing/sample-plugin.ts';
import { startTestHost } from '../service/testing/test-host.ts';
import { useFolder, useForFile } from '../service/testing/use-for-file.ts';

const kit = join(import.meta.dirname, '..', 'plugin-kit');
const id = 'com.example.echo-java';

const work = await useFolder('java-worker-');
const host = await useForFile(startTestHost());

beforeAll(async () => {
  const source = join(kit, 'testing', 'fixtures', 'echo-java');
  const { file } = await packPlugin({ source, output: join(work, 'echo.plugin'), kit });
  await upload(host, await readFile(file));
});

/**
 * Calls the worker's `log` method, which writes one line per level, and returns the levels that
 * arrived.
 */
async function levelsLogged(): Promise<string[]> {
  const logs = () => host.client.call(api.plugins.logs, { params: { id } });
  const before = (await logs()).at(-1)?.sequence ?? 0;
  await invoke(host, id, 'log');
  const fresh = (await logs()).filter(
    (event) => event.sequence > before && event.logger === 'echo',
  );
  return fresh.map((event) => event.level);
}

it('a running Java worker follows the log level at once, without a restart [SETTINGS-09]', async () => {
  expect(await levelsLogged()).toEqual(['INFO', 'WARN', 'ERROR']);
  await host.client.call(api.settings.put, { body: { logLevel: 'TRACE' } });
  await expect.poll(levelsLogged).toEqual(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR']);
  await host.client.call(api.settings.put, { body: { logLevel: 'ERROR' } });
  await expect.poll(levelsLogged).toEqual(['ERROR']);
});

it('a Java worker accepts and returns any text [WORKER-02]', async () => {
  const params = { text: 'é 你好 😀 \u2028 "quoted" \\ \n' };
  await expect(invoke(host, id, 'echo', params)).resolves.toEqual(params);
});
