import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { installSample, invoke, samplePackage } from '../../testing/sample-plugin.ts';
import { startTestHost, type TestHost, type TestHostOptions } from '../../testing/test-host.ts';

const other = 'acme.words';
const second = 'acme.letters';
const official = 'host.words';
let folder: string;
let test: TestHost;
let options: TestHostOptions;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'without-sandbox-'));
  const shipped = join(folder, 'shipped');
  const empty = join(folder, 'no-programs');
  await Promise.all([shipped, empty].map((path) => mkdir(path)));
  const manifest = { id: official, name: 'Official words', version: '1.0.0', official: true };
  const bytes = await samplePackage({ manifest });
  const file = join(shipped, `${official}-1.0.0.plugin`);
  await writeFile(file, bytes);
  await writeFile(`${file}.sha256`, createHash('sha256').update(bytes).digest('hex'));
  options = { sandboxPath: empty, resources: { plugins: shipped } };
  test = await startTestHost(options);
  for (const id of [other, second]) await installSample(test, { manifest: { id, name: id } });
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

const stateOf = (id: string) => test.client.call(api.plugins.show, { params: { id } });
const notifications = async () =>
  (await test.client.call(api.notifications.list, { query: {} })).filter(
    ({ code }) => code === 'sandbox_unavailable',
  );
const allow = (unsandboxedPlugins: boolean) =>
  test.client.call(api.settings.put, { body: { unsandboxedPlugins } });

it('an unofficial worker does not start, and the error says what to install and which setting to turn on', async () => {
  await expect(invoke(test, other, 'echo', {})).rejects.toMatchObject({
    problem: {
      status: 409,
      code: 'sandbox_unavailable',
      detail: expect.stringMatching(/apt install bubblewrap.*unsandboxedPlugins/s) as unknown,
    },
  });
  expect(await stateOf(other)).toMatchObject({
    state: 'sandbox_unavailable',
    stateReason: expect.stringMatching(/unsandboxedPlugins/) as unknown,
  });
});

it('a single notification reports the missing sandbox, however many calls fail', async () => {
  await Promise.allSettled(
    [other, second, other, second].map((id) => invoke(test, id, 'echo', {})),
  );
  expect(await notifications()).toEqual([
    expect.objectContaining({
      level: 'warning',
      link: '/settings/plugins',
      body: expect.stringMatching(/apt install bubblewrap.*unsandboxedPlugins/s) as unknown,
    }),
  ]);
});

it('an official worker runs with a clean environment, and the isolation report says so', async () => {
  process.env['ACME_API_KEY'] = 'of-the-person';
  try {
    const environment = (await invoke(test, official, 'environment')) as Record<string, string>;
    expect(environment).toMatchObject({ HOST_PLUGIN_ID: official });
    expect(environment).not.toHaveProperty('ACME_API_KEY');
  } finally {
    delete process.env['ACME_API_KEY'];
  }
  expect(await test.client.call(api.host.isolation)).toMatchObject({
    backend: 'none',
    compatibilityMode: true,
    reason: expect.stringMatching(
      /official plugins run with a clean environment and end with the host; workers of other plugins do not start/,
    ) as unknown,
    advice: expect.stringMatching(/apt install bubblewrap.*unsandboxedPlugins/s) as unknown,
  });
});

it('turning the setting on approves unsandboxed workers, and turning it off revokes that', async () => {
  await allow(true);
  expect(await invoke(test, other, 'echo', { text: 'now' })).toEqual({ text: 'now' });
  expect((await test.client.call(api.host.isolation)).reason).not.toMatch(/do not start/);
  await allow(false);
  await expect.poll(async () => (await stateOf(other)).state).toBe('stopped');
  await expect(invoke(test, other, 'echo', {})).rejects.toMatchObject({
    problem: { status: 409, code: 'sandbox_unavailable' },
  });
  expect(await notifications()).toHaveLength(1);
});

it('no unofficial worker starts after an update, a reinstallation, enabling, a change of settings or a restart of the host', async () => {
  const refused = { problem: { status: 409, code: 'sandbox_unavailable' } };
  const params = { id: other };
  await installSample(test, { manifest: { id: other, name: other, version: '2.0.0' } });
  await expect(invoke(test, other, 'echo', {})).rejects.toMatchObject(refused);
  await test.client.call(api.market.setEnabled, { params, body: { enabled: false } });
  await test.client.call(api.market.setEnabled, { params, body: { enabled: true } });
  await expect(invoke(test, other, 'echo', {})).rejects.toMatchObject(refused);
  await test.client.call(api.market.uninstall, { params, query: { deleteData: 'true' } });
  await installSample(test, { manifest: { id: other, name: other } });
  await expect(invoke(test, other, 'echo', {})).rejects.toMatchObject(refused);
  // Still with the previous consent while it is being withdrawn.
  await allow(true);
  const calls = Array.from({ length: 20 }, () => invoke(test, other, 'echo', {}));
  await allow(false);
  await Promise.allSettled(calls);
  await expect(invoke(test, other, 'echo', {})).rejects.toMatchObject(refused);
  const { workDirectory } = test;
  await test.stop();
  test = await startTestHost({ ...options, workDirectory });
  await expect(invoke(test, other, 'echo', {})).rejects.toMatchObject(refused);
  expect(await invoke(test, official, 'echo', { text: 'on' })).toEqual({ text: 'on' });
});

it('an installed folder that claims to be official starts no worker', async () => {
  const { workDirectory, paths } = test;
  await test.stop();
  const manifest = join(paths.plugins, other, 'manifest.json');
  const text = JSON.parse(await readFile(manifest, 'utf8')) as Record<string, unknown>;
  const copy = join(paths.plugins, 'acme.copied');
  await cp(join(paths.plugins, other), copy, { recursive: true });
  const claim = { ...text, id: 'acme.copied', official: true };
  await writeFile(join(copy, 'manifest.json'), JSON.stringify(claim));
  await writeFile(manifest, JSON.stringify({ ...text, official: true }));
  test = await startTestHost({ ...options, workDirectory });
  for (const id of [other, 'acme.copied'])
    await expect(invoke(test, id, 'echo', {})).rejects.toMatchObject({
      problem: { status: 409, code: 'sandbox_unavailable' },
    });
});
