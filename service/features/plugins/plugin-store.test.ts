import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type PluginRow, PluginStore } from './plugin-store.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugin-store-'));
  file = join(folder, '.installed.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const nothing = () => Promise.resolve({ plugins: [], seeded: new Map<string, string>() });
const unexpected = { warn: (_: string, message: string) => expect.unreachable(message) };
const open = (): Promise<PluginStore> =>
  PluginStore.open(file, () => Promise.reject(new Error('There is a file already.')), unexpected);
const first: PluginRow = { id: 'acme.demo', enabled: true, source: 'THIRD_PARTY' };
const second: PluginRow = { id: 'x'.repeat(128), enabled: false, source: 'OFFICIAL' };

it('plugins are read as they were stored', async () => {
  const store = await PluginStore.open(file, nothing, unexpected);
  for (const row of [first, second, first]) expect(await store.ensure(row)).toEqual(row);
  await store.setEnabled(first.id, false);
  expect(await store.ensure(first)).toEqual({ ...first, enabled: false });
  expect(await (await open()).all()).toEqual([{ ...first, enabled: false }, second]);
  await store.setEnabled(first.id, true);
  await store.remove(second.id);
  for (const version of ['1.0.0', '1.0.0', '2.0.0-beta.1'])
    await store.markSeeded('host.sample', version);
  const again = await open();
  expect(await again.all()).toEqual([first]);
  expect([...(await again.seeded())]).toEqual([['host.sample', '2.0.0-beta.1']]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['.installed.json']);
});

it('the rows of an earlier release are imported once', async () => {
  const earlier = { plugins: [second], seeded: new Map([['host.sample', '1.0.0']]) };
  await PluginStore.open(file, () => Promise.resolve(earlier), unexpected);
  const store = await open();
  expect(await store.all()).toEqual([second]);
  expect([...(await store.seeded())]).toEqual([['host.sample', '1.0.0']]);
});

it('concurrent changes are all kept', async () => {
  const store = await PluginStore.open(file, nothing, unexpected);
  const ids = Array.from({ length: 30 }, (_, i) => `acme.p${i}`);
  await Promise.all(ids.map((id) => store.ensure({ ...first, id })));
  await Promise.all(ids.map((id) => store.setEnabled(id, false)));
  const rows = await (await open()).all();
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(rows.every(({ enabled }) => !enabled)).toBe(true);
});

it('a change that cannot be stored does not take effect', async () => {
  const store = await PluginStore.open(file, nothing, unexpected);
  await store.ensure(first);
  await rm(folder, { recursive: true });
  await writeFile(folder, '');
  await expect(store.setEnabled(first.id, false)).rejects.toThrow();
  await expect(store.ensure(second)).rejects.toThrow();
  expect(await store.all()).toEqual([first]);
});

it.each(['', 'no JSON', '{"plugins":{"a":{"enabled":"yes"}},"seeded":{}}', '[]'])(
  'an invalid file is reported and recreated: %s',
  async (text) => {
    await writeFile(file, text);
    let broken = 0;
    const store = await PluginStore.open(file, nothing, { warn: () => (broken += 1) });
    expect(broken).toBe(1);
    expect(await store.all()).toEqual([]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ plugins: {}, seeded: {} });
  },
);

it('a file that cannot be created yet is created by the next change', async () => {
  const missing = join(folder, 'later', '.installed.json');
  const warnings: string[] = [];
  const store = await PluginStore.open(missing, nothing, {
    warn: (_, message) => warnings.push(message),
  });
  expect(warnings).toEqual([expect.stringContaining('cannot be written now')]);
  await mkdir(join(folder, 'later'));
  await store.ensure(first);
  expect(await readFile(missing, 'utf8')).toContain(first.id);
});

it('an unreadable file is an error, and its contents are not discarded', async () => {
  await PluginStore.open(file, nothing, unexpected);
  await rm(file);
  await mkdir(file);
  await expect(PluginStore.open(file, nothing, unexpected)).rejects.toMatchObject({
    code: 'EISDIR',
  });
});
