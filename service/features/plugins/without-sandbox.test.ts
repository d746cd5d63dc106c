import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { installSample, invoke, samplePackage } from '../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

const other = 'acme.words';
const second = 'acme.letters';
const official = 'host.words';
let folder: string;
let test: TestHost;

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
  test = await startTestHost({ sandboxPath: empty, resources: { plugins: shipped } });
  for (const id of [other, second]) await installSample(test, { manifest: { id, name: id } });
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

const stateOf = (id: string) => test.client.call(api.plugins.show, { params: { id } });
const told = async () =>
  (await test.client.call(api.notifications.list, { query: {} })).filter(
    ({ code }) => code === 'sandbox_unavailable',
  );
const allow = (unsandboxedPlugins: boolean) =>
  test.client.call(api.settings.put, { body: { unsandboxedPlugins } });

it('a worker that is not official does not start, and the answer says what to install and what to switch on', async () => {
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

it('a notification says it once, whatever is called how often', async () => {
  await Promise.allSettled(
    [other, second, other, second].map((id) => invoke(test, id, 'echo', {})),
  );
  expect(await told()).toEqual([
    expect.objectContaining({
      level: 'warning',
      link: '/settings/plugins',
      body: expect.stringMatching(/apt install bubblewrap.*unsandboxedPlugins/s) as unknown,
    }),
  ]);
});

it('an official worker runs, with a clean environment, and the report says so', async () => {
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

it('switching the setting on is the approval, and switching it off takes it back', async () => {
  await allow(true);
  expect(await invoke(test, other, 'echo', { text: 'now' })).toEqual({ text: 'now' });
  expect((await test.client.call(api.host.isolation)).reason).not.toMatch(/do not start/);
  await allow(false);
  await expect.poll(async () => (await stateOf(other)).state).toBe('stopped');
  await expect(invoke(test, other, 'echo', {})).rejects.toMatchObject({
    problem: { status: 409, code: 'sandbox_unavailable' },
  });
  expect(await told()).toHaveLength(1);
});
