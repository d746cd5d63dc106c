import { afterAll, beforeAll, expect, it } from 'vitest';
import { api } from '../contract/index.ts';
import {
  type ClusterTestHost,
  startTestCluster,
  type TestCluster,
  until,
  useDatabaseOf,
} from '../testing/cluster-hosts.ts';
import { startTestHost } from '../testing/test-host.ts';

let cluster: TestCluster;
let one: ClusterTestHost;
let two: ClusterTestHost;
beforeAll(async () => {
  cluster = await startTestCluster();
  one = await cluster.start('one');
  two = await cluster.start('two');
});
afterAll(() => cluster.close());

const apiKey = 'a-secret-key-that-hosts-share';
const maskedKey = async ({ client }: Pick<ClusterTestHost, 'client'>): Promise<string> =>
  (await client.call(api.aiConfig.get)).cloud_b.apiKey;
const recoveryText = async (): Promise<string> =>
  (await one.client.call(api.hosts.recoveryText)).recoveryText;

it('the first host makes the key, and a host on another machine lacks it', async () => {
  expect(await one.client.call(api.hosts.key)).toEqual({ state: 'available' });
  expect(await two.client.call(api.hosts.key)).toEqual({ state: 'missing' });
  await expect(two.client.call(api.hosts.recoveryText)).rejects.toMatchObject({
    problem: { status: 409, code: 'cluster_key_missing' },
  });
});

it('a host without the key names the secrets that it cannot read, and how to get them', async () => {
  await one.client.call(api.aiConfig.put, { body: { cloud_b: { apiKey } } });
  const all = await until(
    () => two.client.call(api.notifications.list, { query: {} }),
    (some) => some.some(({ code }) => code === 'secrets_lost'),
  );
  expect(all.find(({ code }) => code === 'secrets_lost')).toMatchObject({
    parameters: { secrets: [{ kind: 'model', name: 'cloud_b' }], cluster: true },
  });
  const { missing } = await two.client.call(api.host.diagnostics);
  expect(missing).toContainEqual(
    expect.objectContaining({ fixMessage: { code: 'cluster.keyMissing' } }),
  );
  expect(await maskedKey(two)).toBe('');
});

it('a mistyped recovery text and that of another cluster are refused, and change nothing', async () => {
  const enter = (text: string) =>
    two.client.call(api.hosts.enterKey, { body: { recoveryText: text } });
  await expect(enter('no such text')).rejects.toMatchObject({
    problem: { status: 422, code: 'recovery_text_invalid' },
  });
  const other = await startTestCluster();
  try {
    const host = await other.start('other');
    const text = (await host.client.call(api.hosts.recoveryText)).recoveryText;
    await expect(enter(text)).rejects.toMatchObject({
      problem: { status: 409, code: 'wrong_recovery_text' },
    });
  } finally {
    await other.close();
  }
  expect(await two.client.call(api.hosts.key)).toEqual({ state: 'missing' });
});

it('with the recovery text a host reads what is stored, and what it stored itself is shared', async () => {
  const provider = { name: 'Early', protocol: 'ollama', baseUrl: 'http://127.0.0.1:9/' } as const;
  const early = 'a-secret-key-stored-without-the-shared-one';
  const { id } = await two.client.call(api.providers.create, {
    body: { ...provider, apiKey: early },
  });
  const keyOn = async (host: ClusterTestHost): Promise<string | undefined> =>
    (await host.client.call(api.providers.list)).find((entry) => entry.id === id)?.apiKey;
  const visible = await keyOn(two);
  expect(visible).not.toBe('');
  await until(
    () => keyOn(one),
    (key) => key === '',
  );
  const body = { recoveryText: (await recoveryText()).toLowerCase() };
  expect(await two.client.call(api.hosts.enterKey, { body })).toEqual({ state: 'available' });
  expect(await maskedKey(two)).toBe(await maskedKey(one));
  await until(
    () => keyOn(one),
    (key) => key === visible,
  );
  const { missing } = await two.client.call(api.host.diagnostics);
  expect(JSON.stringify(missing)).not.toContain('cluster.keyMissing');
  expect((await two.client.call(api.hosts.recoveryText)).recoveryText).toBe(await recoveryText());
});

it('a host that was given the key has it after a restart', async () => {
  const { workDirectory } = two;
  await two.stop();
  two = await cluster.start('two', { workDirectory });
  expect(await two.client.call(api.hosts.key)).toEqual({ state: 'available' });
  expect(await maskedKey(two)).toBe(await maskedKey(one));
});

it('a host with the same machine key needs no recovery text', async () => {
  const machineKey = 'the same key on both machines';
  const first = await cluster.start('first', { machineKey });
  await first.client.call(api.hosts.enterKey, { body: { recoveryText: await recoveryText() } });
  const second = await cluster.start('second', { machineKey });
  expect(await second.client.call(api.hosts.key)).toEqual({ state: 'available' });
  expect(await maskedKey(second)).toBe(await maskedKey(one));
  await Promise.all([first.stop(), second.stop()]);
});

it('a damaged copy of the key in the database does not keep a host from its start', async () => {
  await cluster.query("INSERT INTO settings (name, value) VALUES ('clusterKey.damaged', '7')");
  const third = await cluster.start('third');
  expect(await third.client.call(api.hosts.key)).toEqual({ state: 'missing' });
  const body = { recoveryText: await recoveryText() };
  expect(await third.client.call(api.hosts.enterKey, { body })).toEqual({ state: 'available' });
  await third.stop();
  await cluster.query("DELETE FROM settings WHERE name = 'clusterKey.damaged'");
});

it('the key is entered twice at once without an error', async () => {
  const fourth = await cluster.start('fourth');
  const body = { recoveryText: await recoveryText() };
  const enter = () => fourth.client.call(api.hosts.enterKey, { body });
  expect(await Promise.all([enter(), enter()])).toEqual([
    { state: 'available' },
    { state: 'available' },
  ]);
  await fourth.stop();
});

it('neither the key nor its recovery text is stored or logged in the clear', async () => {
  const text = await recoveryText();
  const rows = await cluster.query<{ name: string; value: string }>(
    'SELECT name, value FROM settings',
  );
  const stored = JSON.stringify(rows);
  expect(stored).toContain('clusterKey.check');
  expect(stored).not.toContain(apiKey);
  const values = rows.filter(({ name }) => name.startsWith('clusterKey.'));
  for (const { value } of values) expect(JSON.parse(value)).toMatch(/^ENC\([A-Za-z0-9+/=]+\)$/);
  for (const host of [one, two]) {
    const log = await host.ask('/api/diagnostics/report');
    expect(log.text).not.toContain(text);
    expect(log.text).not.toContain(apiKey);
  }
});

it('secrets of a single host are shared when it joins, and it reads them when it is alone again', async () => {
  const alone = await startTestCluster();
  try {
    const machineKey = 'the machine key of a host that was alone';
    let single = await startTestHost({ setup: null, machineKey });
    const { workDirectory } = single;
    await useDatabaseOf(single.client, alone.made);
    await single.client.call(api.aiConfig.put, { body: { cloud_b: { apiKey } } });
    expect(await single.client.call(api.hosts.key)).toEqual({ state: 'none' });
    const masked = await maskedKey(single);
    await single.stop();

    const joined = await alone.start('joined', { workDirectory, machineKey });
    const other = await alone.start('other');
    const text = (await joined.client.call(api.hosts.recoveryText)).recoveryText;
    await other.client.call(api.hosts.enterKey, { body: { recoveryText: text } });
    expect(await maskedKey(other)).toBe(masked);
    await Promise.all([joined.stop(), other.stop()]);

    single = await startTestHost({ setup: null, machineKey, workDirectory });
    expect(await maskedKey(single)).toBe(masked);
    await single.stop();
  } finally {
    await alone.close();
  }
});
