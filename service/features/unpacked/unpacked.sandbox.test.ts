import { execFileSync } from 'node:child_process';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../client/index.ts';
import { api, type NewUnpackedPlugin, type UnpackedPlugin } from '../../contract/index.ts';
import { packPlugin } from '../../testing/packages.ts';
import { testDesktop } from '../../testing/test-desktop.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';
import { useFolder, useForFile } from '../../testing/use-for-file.ts';

const sandboxed = { sandboxPath: process.env['PATH'] ?? '' };
const folder = await useFolder('unpacked-');
let test = await useForFile(startTestHost(sandboxed));
const { workDirectory } = test;
let running: TestHost[] = [];
await useForFile(
  Promise.resolve({
    close: () => Promise.all(running.splice(0).map((host) => host.stop())),
  }),
);

const patience = { timeout: 60_000 };
const id = 'acme.unpacked';
const directory = join(folder, 'words');
const newPlugin: NewUnpackedPlugin = { directory, id, name: 'Words', runtime: 'node' };

const turn = (developerMode: boolean) =>
  test.client.call(api.settings.put, { body: { developerMode } });
const make = (change: Partial<NewUnpackedPlugin> = {}) =>
  test.client.call(api.unpacked.make, { body: { ...newPlugin, ...change } });
const load = (path: string) => test.client.call(api.unpacked.load, { body: { directory: path } });
const list = () => test.client.call(api.unpacked.list);

async function loaded(path = directory): Promise<UnpackedPlugin | undefined> {
  return (await list()).find((one) => one.directory === path);
}

async function until(state: UnpackedPlugin['state'], path = directory): Promise<UnpackedPlugin> {
  let found: UnpackedPlugin | undefined;
  const read = async () => {
    found = await loaded(path);
    return found?.state;
  };
  await expect.poll(read, patience).toBe(state);
  if (found === undefined) throw new Error('it is not loaded');
  return found;
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.problem.code : String(error)),
  );

async function change(file: string, from: string, to: string): Promise<void> {
  const path = join(directory, file);
  const text = await readFile(path, 'utf8');
  expect(text).toContain(from);
  await writeFile(path, text.replace(from, to));
}

async function orders(): Promise<string> {
  const body = { callId: crypto.randomUUID(), method: 'orders' };
  return JSON.stringify(await test.client.call(api.plugins.invoke, { params: { id }, body }));
}

it('without developer mode nothing is listed, created, loaded or unloaded', async () => {
  const unload = () => test.client.call(api.unpacked.unload, { params: { key: 'any' } });
  for (const work of [list, make, () => load(directory), unload])
    expect(await codeOf(work())).toBe('developer_mode_off');
  await expect(access(directory)).rejects.toThrow('ENOENT');
});

/** Ids of the processes that watch for this host. */
function watchers(): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid,args', '-ww'], { encoding: 'utf8' }).split('\n');
  const own = `dev --json --host-file=${test.paths.developer} ${directory}`;
  return lines.filter((line) => line.includes(own)).map((line) => Number.parseInt(line, 10));
}

describe('in developer mode', () => {
  beforeAll(() => turn(true));

  it('a new plugin is created from the templates of the kit, is installed, and answers in the sandbox', async () => {
    expect(await make()).toMatchObject({ directory, state: 'starting', id: null });
    const plugin = await until('watching');
    expect(plugin).toMatchObject({ id, version: '0.1.0', findings: [] });
    expect(await orders()).toContain('Most frequent first');
    const files = ['README.md', 'test/plugin.test.mjs', '.plugin-kit/manifest.schema.json'];
    for (const file of files) await access(join(directory, file));
    const installed = await test.client.call(api.plugins.show, { params: { id } });
    expect(installed).toMatchObject({ name: 'Words', source: 'THIRD_PARTY', isDeveloped: true });
  });

  it('a change is installed; an invalid one is refused with its location, and the last version stays', async () => {
    await change('backend/worker.mjs', 'Most frequent first', 'Changed');
    await expect.poll(orders, patience).toContain('Changed');
    await change('manifest.json', '"permissions"', '"permisions"');
    await expect.poll(async () => (await loaded())?.findings.length, patience).toBe(1);
    expect((await loaded())?.findings).toMatchObject([
      { severity: 'warning', file: 'manifest.json', line: 9, suggestion: 'permissions' },
    ]);
    await change('manifest.json', '"runtime": "node"', '"runtime": "nodes"');
    const refused = await until('refused');
    expect(refused).toMatchObject({ id, version: '0.1.0' });
    expect(refused.findings).toContainEqual(
      expect.objectContaining({ severity: 'error', file: 'manifest.json', line: 10 }),
    );
    expect(await orders()).toContain('Changed');
    await change('manifest.json', '"runtime": "nodes"', '"runtime": "node"');
    await change('manifest.json', '"permisions"', '"permissions"');
    await expect.poll(async () => (await loaded())?.findings, patience).toEqual([]);
    expect(await until('watching')).toMatchObject({ id });
  });

  it('the token of the host is in no command line', async () => {
    const stdout = execFileSync('ps', ['-eo', 'args', '-ww'], { encoding: 'utf8' });
    const file = JSON.parse(await readFile(test.paths.developer, 'utf8')) as { token: string };
    expect(stdout).toContain(`--host-file=${test.paths.developer}`);
    expect(stdout).not.toContain(file.token);
    expect(stdout).not.toContain(test.token);
  });

  it('only a valid folder with an unused plugin id can be loaded, and only once', async () => {
    expect(await codeOf(make())).toBe('folder_not_empty');
    expect(await codeOf(load(directory))).toBe('folder_loaded');
    expect(await codeOf(load(join(folder, 'nowhere')))).toBe('invalid_folder');
    expect(await codeOf(load(folder))).toBe('invalid_folder');
    expect(await codeOf(load('words'))).toBe('invalid_folder');
    const inside = join(test.paths.host, 'own');
    expect(await codeOf(make({ directory: inside, id: 'acme.inside' }))).toBe('invalid_folder');
    const other = join(folder, 'other');
    expect(await codeOf(make({ directory: other, id: 'host.words' }))).toBe('reserved_identity');
    expect(await codeOf(make({ directory: other }))).toBe('folder_loaded');
    const file = new Blob([await packPlugin({ manifest: { id: 'acme.store' } })]);
    await test.client.call(api.market.upload, { file });
    expect(await codeOf(make({ directory: other, id: 'acme.store' }))).toBe('plugin_installed');
    await expect(access(other)).rejects.toThrow('ENOENT');
    expect(await list()).toHaveLength(1);
  });

  it('an id in the official namespace is refused, also when it is changed later', async () => {
    await change('manifest.json', `"id": "${id}"`, '"id": "host.words"');
    const refused = await until('refused');
    expect(refused.findings.map(({ message }) => message).join()).toContain('host.');
    expect(await orders()).toContain('Changed');
    await change('manifest.json', '"id": "host.words"', `"id": "${id}"`);
    await until('watching');
  });

  it('a plugin is installed and watched again after a restart of the host, and not while developer mode is off', async () => {
    await test.stop();
    expect(watchers()).toEqual([]);
    await change('backend/worker.mjs', 'Changed', 'Meanwhile');
    test = await startTestHost({ ...sandboxed, workDirectory });
    running = [...running, test];
    await until('watching');
    expect(await orders()).toContain('Meanwhile');
    await turn(false);
    expect(await codeOf(list())).toBe('developer_mode_off');
    const installed = await test.client.call(api.plugins.show, { params: { id } });
    expect(installed.isDeveloped).toBeUndefined();
    await expect.poll(watchers, patience).toEqual([]);
    await change('backend/worker.mjs', 'Meanwhile', 'Later');
    expect(await orders()).toContain('Meanwhile');
    await turn(true);
    await expect.poll(orders, patience).toContain('Later');
  });

  it('the watcher of a folder is restarted when it exits', async () => {
    const before = watchers();
    expect(before.length).toBeGreaterThan(0);
    for (const pid of before) process.kill(pid, 'SIGKILL');
    const after = () => watchers().filter((pid) => !before.includes(pid)).length;
    await expect.poll(after, patience).toBeGreaterThan(0);
    await until('watching');
    await change('backend/worker.mjs', 'Later', 'Again');
    await expect.poll(orders, patience).toContain('Again');
  });

  it('unloading uninstalls the plugin and keeps the folder', async () => {
    const { key } = await until('watching');
    const input = { params: { key } };
    await test.client.call(api.unpacked.unload, input);
    expect(await list()).toEqual([]);
    expect(await codeOf(orders())).toBe('unknown_plugin');
    await access(join(directory, 'manifest.json'));
    expect(await codeOf(test.client.call(api.unpacked.unload, input))).toBe('unknown_folder');
    expect(await readFile(test.paths.unpacked, 'utf8')).toBe('[]\n');
  });

  it('uninstalling a plugin removes its folder from the list', async () => {
    await load(directory);
    await until('watching');
    const query = { deleteData: 'true' } as const;
    await test.client.call(api.market.uninstall, { params: { id }, query });
    await expect.poll(list, patience).toEqual([]);
    await access(join(directory, 'manifest.json'));
  });

  it('a missing folder is reported, and is loaded again once it is back', async () => {
    const gone = join(folder, 'gone');
    await make({ directory: gone, id: 'acme.gone' });
    await until('watching', gone);
    await turn(false);
    const manifest = await readFile(join(gone, 'manifest.json'));
    await rm(join(gone, 'manifest.json'));
    await turn(true);
    const failed = await until('failed', gone);
    expect(failed.reasonMessage).toEqual({
      code: 'unpacked.noManifest',
      parameters: { directory: gone },
    });
    await writeFile(join(gone, 'manifest.json'), manifest);
    await load(gone);
    await until('watching', gone);
  });
});

it('on the desktop a folder must be chosen by the user, and a host without the kit reports that', async () => {
  const chosen = join(folder, 'chosen');
  const desktop = testDesktop({ wasChosen: (path) => path === chosen });
  const own = await startTestHost({ desktop, resources: { kit: join(folder, 'no-kit') } });
  try {
    await own.client.call(api.settings.put, { body: { developerMode: true } });
    const loading = (path: string) =>
      codeOf(own.client.call(api.unpacked.load, { body: { directory: path } }));
    const making = (path: string) =>
      codeOf(own.client.call(api.unpacked.make, { body: { ...newPlugin, directory: path } }));
    expect(await loading(directory)).toBe('not_chosen');
    expect(await making(directory)).toBe('not_chosen');
    expect(await loading(chosen)).toBe('kit_missing');
    expect(await making(chosen)).toBe('kit_missing');
    expect(await making(join(chosen, 'inside'))).toBe('kit_missing');
  } finally {
    await own.close();
  }
});
