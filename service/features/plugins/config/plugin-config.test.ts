import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api, type PluginConfig } from '../../../contract/index.ts';
import { installSample, invoke } from '../../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../../testing/test-host.ts';

const id = 'com.example.configured';
const userConfig = {
  unit: { type: 'string', title: 'Unit', default: 'km' },
  limit: { type: 'number', title: 'Limit' },
  key: { type: 'string', title: 'API key', required: true, sensitive: true },
  folder: { type: 'directory', title: 'Folder' },
};
const secret = 'a-secret-that-nobody-may-read';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const params = { id };
const read = (): Promise<PluginConfig> => host.client.call(api.plugins.config, { params });
const put = (body: Record<string, unknown>): Promise<PluginConfig> =>
  host.client.call(api.plugins.setConfig, { params, body });
const received = async (): Promise<Record<string, unknown>> => {
  const first = (await invoke(host, id, 'initialized')) as { config: Record<string, unknown> };
  return first.config;
};

beforeEach(async () => {
  await installSample(host, {
    manifest: { id, name: 'Configured', permissions: ['files.read'], userConfig },
  });
});

describe('the settings of a plugin', () => {
  it('are requested by key and title before the first call, without starting a worker', async () => {
    expect(await read()).toEqual({ values: { unit: 'km' }, missing: ['key'] });
    await expect(invoke(host, id, 'initialized')).rejects.toMatchObject({
      problem: { status: 409, code: 'config_missing', errors: [{ path: 'key' }] },
    });
    await expect(invoke(host, id, 'initialized')).rejects.toThrow(/API key/);
    const descriptor = await host.client.call(api.plugins.show, { params });
    expect(descriptor).toMatchObject({ state: 'stopped', missingConfig: ['key'], userConfig });
  });

  it('are passed to the worker with their defaults, and a change restarts it', async () => {
    await put({ key: secret });
    expect(await received()).toEqual({ unit: 'km', key: secret });
    const before = (await invoke(host, id, 'place')) as { pid: number };
    await put({ unit: 'mi', limit: 3 });
    expect(await received()).toEqual({ unit: 'mi', limit: 3, key: secret });
    const after = (await invoke(host, id, 'place')) as { pid: number };
    expect(after.pid).not.toBe(before.pid);
    expect(await put({ unit: null, limit: null })).toMatchObject({ values: { unit: 'km' } });
    expect(await received()).toEqual({ unit: 'km', key: secret });
  });

  it('that are secret are masked in responses and encrypted on disk; sending the mask back changes nothing', async () => {
    const config = await put({ key: secret });
    expect(config).toEqual({ values: { unit: 'km', key: 'a-se***read' }, missing: [] });
    const file = join(host.paths.pluginConfig, `${id}.json`);
    expect(await readFile(file, 'utf8')).not.toContain(secret);
    await put(config.values);
    expect(await received()).toMatchObject({ key: secret });
    expect((await put({ key: null })).missing).toEqual(['key']);
  });

  it('that are secret keep their default when the mask is sent back', async () => {
    const withDefault = { token: { ...userConfig.key, default: 'a-default-that-is-long' } };
    await installSample(host, { manifest: { id, userConfig: withDefault } });
    const { values } = await read();
    expect(values).toEqual({ token: 'a-de***long' });
    await put(values);
    expect(await received()).toEqual({ token: 'a-default-that-is-long' });
    await put({ token: secret });
    expect(await received()).toEqual({ token: secret });
  });

  it('with a wrong type or an unknown key are refused, and nothing is stored', async () => {
    const wrong = { unit: 'mi', limit: 'many', folder: 'relative', colour: 'red' };
    const refused = put(wrong).catch((error: unknown) => error);
    const { problem } = (await refused) as { problem: { status: number; errors: unknown[] } };
    expect(problem).toMatchObject({ status: 400, code: 'invalid_config' });
    expect(problem.errors).toEqual([
      {
        path: 'limit',
        message: 'must be a number',
        text: { code: 'plugins.settingNumber' },
      },
      {
        path: 'folder',
        message: 'must be an absolute path',
        text: { code: 'plugins.settingAbsolute' },
      },
      {
        path: 'colour',
        message: 'is not a setting of this plugin',
        text: { code: 'plugins.unknownSetting' },
      },
    ]);
    expect((await read()).values).toMatchObject({ unit: 'km' });
    const own = put({ folder: host.paths.host });
    await expect(own).rejects.toMatchObject({ problem: { code: 'invalid_config' } });
  });

  it('are kept across a restart and an update, and are deleted with the data of the plugin', async () => {
    await put({ key: secret });
    await host.stop();
    host = await startTestHost({ workDirectory: host.workDirectory });
    expect((await read()).missing).toEqual([]);
    await host.client.call(api.market.uninstall, { params, query: { deleteData: 'false' } });
    await installSample(host, { manifest: { id, userConfig } });
    expect((await read()).missing).toEqual([]);
    await host.client.call(api.market.uninstall, { params, query: { deleteData: 'true' } });
    await installSample(host, { manifest: { id, userConfig } });
    expect((await read()).missing).toEqual(['key']);
  });

  it('that are secret are reported once they cannot be decrypted, even if they have a default', async () => {
    const token = { type: 'string', title: 'Token', sensitive: true, default: 'a-default-token' };
    await installSample(host, { manifest: { id, name: 'Configured', userConfig: { token } } });
    await put({ token: secret });
    await host.stop();
    await rm(host.paths.machineId);
    host = await startTestHost({ workDirectory: host.workDirectory });
    const { unusable, values } = await read();
    expect(unusable).toEqual([
      {
        key: 'token',
        message: expect.stringMatching(/cannot be decrypted with the key/) as string,
        text: { code: 'plugins.secretLost' },
      },
    ]);
    expect(await received()).toEqual({ token: 'a-default-token' });
    const notifications = await host.client.call(api.notifications.list, { query: {} });
    expect(notifications.map(({ body }) => body).join()).toContain(
      'the setting Token of the plugin Configured',
    );
    await put({ ...values, token: null });
    expect(await read()).not.toHaveProperty('unusable');
  });
});
