import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { snapshot } from '../../../testing/package-trees.ts';
import { type Packing, writePackage } from '../../../testing/packages.ts';
import { freshPackage } from './fresh-plugin.ts';
import { type CheckedPackage, readPackage } from './package-archive.ts';
import { PackageDirectory } from './package-layout.ts';

const id = 'acme.demo';
let root: string;
let plugins: string;
let staging: string;
let packages: PackageDirectory;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'package-layout-'));
  plugins = join(root, 'plugins');
  staging = join(root, 'staging');
  packages = new PackageDirectory(plugins, staging);
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function packed(version: string, packing: Packing = {}): Promise<CheckedPackage> {
  const manifest = { version, ...packing.manifest };
  const files = { 'ui/version.txt': version, ...packing.files };
  return readPackage(await writePackage(join(root, `${version}.plugin`), { manifest, files }));
}

async function install(version: string, packing?: Packing): Promise<string> {
  const checked = await packed(version, packing);
  return (await packages.replace(freshPackage(checked))).directory;
}

/** Returns the version of the installed copy by its manifest and by another file. */
async function installedVersions(): Promise<string[]> {
  const { installed } = await packages.list();
  const versions = installed.map(async ({ directory, manifest }) => {
    return `${manifest.version} ${await readFile(join(directory, 'ui/version.txt'), 'utf8')}`;
  });
  return Promise.all(versions);
}

test('listing a location where nothing was installed returns nothing and creates no folder', async () => {
  expect(await packages.list()).toEqual({ installed: [], problems: [] });
  expect(await readdir(root)).toEqual([]);
});

describe('replacing', () => {
  test('installs a package and replaces an older copy completely', async () => {
    const directory = await install('1.0.0', { files: { 'ui/only-in-one.txt': 'x' } });
    expect(directory).toBe(join(plugins, id));
    expect(directory).toBe(packages.pathOf(id));
    expect(await install('2.0.0')).toBe(directory);
    expect(await installedVersions()).toEqual(['2.0.0 2.0.0']);
    expect(await readdir(join(directory, 'ui'))).toEqual(['index.html', 'version.txt']);
    expect(await readdir(staging)).toEqual([]);
  });

  test('leaves the installed copy unchanged when the package is damaged', async () => {
    await install('1.0.0');
    const before = await snapshot(plugins);
    const checked = await packed('2.0.0');
    const bytes = await readFile(checked.file);
    const worker = bytes.indexOf('backend/worker.jar') + 'backend/worker.jar'.length;
    bytes.writeUInt8((bytes[worker] ?? 0) ^ 0xff, worker + 4);
    await writeFile(checked.file, bytes);
    const damaged = await readPackage(checked.file);
    await expect(packages.replace(freshPackage(damaged))).rejects.toMatchObject({
      code: 'invalid_package',
      errors: [{ path: 'backend/worker.jar' }],
    });
    expect(await snapshot(plugins)).toEqual(before);
    expect(await readdir(staging)).toEqual([]);
  });

  test('lets the caller prepare or abort while the old copy still exists', async () => {
    await install('1.0.0');
    const second = await packed('2.0.0');
    let seen: string[] = [];
    const beforeSwap = async (): Promise<void> => {
      seen = await installedVersions();
      throw new Error('not now');
    };
    await expect(packages.replace(freshPackage(second), { beforeSwap })).rejects.toThrow('not now');
    expect(seen).toEqual(['1.0.0 1.0.0']);
    expect(await installedVersions()).toEqual(['1.0.0 1.0.0']);

    const stop = new AbortController();
    const options = { signal: stop.signal, beforeSwap: async () => stop.abort(new Error('stop')) };
    await expect(packages.replace(freshPackage(second), options)).rejects.toThrow('stop');
    expect(await installedVersions()).toEqual(['1.0.0 1.0.0']);
    expect(await readdir(staging)).toEqual([]);
  });

  test('restores the old copy when the new one cannot be moved into place', async () => {
    await install('1.0.0');
    const before = await snapshot(plugins);
    const second = await packed('2.0.0');
    const beforeSwap = async (): Promise<void> => {
      for (const name of await readdir(staging)) await rm(join(staging, name), { recursive: true });
    };
    await expect(packages.replace(freshPackage(second), { beforeSwap })).rejects.toMatchObject({
      code: 'ENOENT',
    });
    expect(await snapshot(plugins)).toEqual(before);
    expect(await readdir(staging)).toEqual([]);
  });

  test('is serialized for each plugin', async () => {
    const versions = ['1.0.0', '2.0.0', '3.0.0', '4.0.0'];
    const all = await Promise.all(versions.map((version) => packed(version)));
    await Promise.all([
      ...all.map((one) => packages.replace(freshPackage(one))),
      packages.remove(id),
      packages.replace(freshPackage(all[1]!)),
    ]);
    expect(await installedVersions()).toEqual(['2.0.0 2.0.0']);
    expect(await readdir(staging)).toEqual([]);
  });

  test('continues after a failed one', async () => {
    const first = await packed('1.0.0');
    const beforeSwap = async (): Promise<void> => {
      throw new Error('no');
    };
    const failing = packages.replace(freshPackage(first), { beforeSwap });
    const working = packages.replace(freshPackage(first));
    await expect(failing).rejects.toThrow('no');
    await expect(working).resolves.toMatchObject({ directory: join(plugins, id) });
  });

  test('refuses a package of another plugin, and ids that are not file names', async () => {
    const checked = await packed('1.0.0');
    const forged = { ...freshPackage(checked), id: 'acme.other' };
    await expect(packages.replace(forged)).rejects.toThrow('another plugin');
    for (const bad of ['..', '../x', 'a/b', '', 'CON', 'con', '/etc']) {
      expect(() => packages.pathOf(bad)).toThrow('Not a plugin id');
      await expect(packages.remove(bad)).rejects.toThrow();
    }
  });
});

describe('removing', () => {
  test('deletes only the package, and succeeds if there is none', async () => {
    await install('1.0.0');
    await install('1.0.0', { manifest: { id: 'acme.other' } });
    await packages.remove(id);
    await packages.remove(id);
    expect((await packages.list()).installed.map((one) => one.id)).toEqual(['acme.other']);
    expect(await readdir(staging)).toEqual([]);
  });

  test('handles read-only directories', async () => {
    const directory = await install('1.0.0');
    await chmod(join(directory, 'ui'), 0o555);
    await packages.remove(id);
    expect(await readdir(plugins)).toEqual([]);
    expect(await readdir(staging)).toEqual([]);
  });

  test('reports a failure, and keeps the plugin', async () => {
    await install('1.0.0');
    const before = await snapshot(plugins);
    await rm(staging, { recursive: true });
    await writeFile(staging, 'a file where the staging directory should be');
    await expect(packages.remove(id)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'cannot_delete',
    });
    expect(await snapshot(plugins)).toEqual(before);
  });
});

describe('cleaning up', () => {
  const old = (): string => join(staging, `old-${id}`);

  test('empties the staging directory and keeps installed packages', async () => {
    await install('1.0.0');
    const before = await snapshot(plugins);
    await writeFile(join(staging, 'upload-1'), 'half an upload');
    await mkdir(join(staging, 'new-1', 'ui'), { recursive: true });
    await mkdir(join(staging, 'old-..'));
    await symlink(plugins, join(staging, 'link'));
    await packages.sweep();
    await packages.swept();
    expect(await readdir(staging)).toEqual([]);
    expect(await snapshot(plugins)).toEqual(before);
  });

  test('creates both directories with access for their owner only', async () => {
    await packages.sweep();
    await packages.swept();
    expect(await snapshot(root)).toEqual({ plugins: 'directory 700', staging: 'directory 700' });
  });

  test('restores the old copy of an interrupted replacement', async () => {
    await install('1.0.0');
    const before = await snapshot(plugins);
    await rename(join(plugins, id), old());
    await mkdir(join(staging, 'new-1'));
    await packages.sweep();
    await packages.swept();
    expect(await snapshot(plugins)).toEqual(before);
    expect(await readdir(staging)).toEqual([]);
  });

  test('deletes the old copy if the new one is in place', async () => {
    await install('1.0.0');
    await rename(join(plugins, id), old());
    await mkdir(join(root, 'aside'));
    await rename(old(), join(root, 'aside', 'old'));
    await install('2.0.0');
    await rename(join(root, 'aside', 'old'), old());
    await packages.sweep();
    await packages.swept();
    expect(await installedVersions()).toEqual(['2.0.0 2.0.0']);
    expect(await readdir(staging)).toEqual([]);
  });

  test('is not required for the next replacement or removal to be correct', async () => {
    await install('1.0.0');
    await rename(join(plugins, id), old());
    await install('2.0.0');
    expect(await installedVersions()).toEqual(['2.0.0 2.0.0']);
    await rename(join(plugins, id), old());
    await packages.remove(id);
    await packages.sweep();
    await packages.swept();
    expect(await installedVersions()).toEqual([]);
  });

  test('keeps an old copy that cannot be restored, and the list reports it', async () => {
    await install('1.0.0');
    await rename(join(plugins, id), old());
    await rm(plugins, { recursive: true });
    await writeFile(plugins, '');
    await expect(packages.sweep()).rejects.toMatchObject({ code: 'EEXIST' });
    await rm(plugins);
    await mkdir(plugins);
    expect((await packages.list()).problems).toEqual([
      { id, reason: 'its update was interrupted and could not be undone' },
    ]);
    await packages.sweep();
    await packages.swept();
    expect(await installedVersions()).toEqual(['1.0.0 1.0.0']);
  });
});

describe('listing', () => {
  test('returns installed packages in order, and unusable ones with the reason', async () => {
    for (const name of ['acme.b', 'acme.a', 'acme.c']) {
      await install('1.0.0', { manifest: { id: name } });
    }
    await rename(join(plugins, 'acme.c'), join(plugins, 'acme.moved'));
    const broken = {
      empty: undefined,
      text: 'x',
      other: '{"id":"A"}',
      big: 'x'.repeat(1024 ** 2 + 1),
    };
    for (const [name, content] of Object.entries(broken)) {
      await mkdir(join(plugins, name));
      if (content) await writeFile(join(plugins, name, 'manifest.json'), content);
    }
    await writeFile(join(plugins, '.DS_Store'), '');
    await symlink(join(plugins, 'acme.a'), join(plugins, 'acme.link'));

    const { installed, problems } = await packages.list();
    expect(installed.map(({ id: name, directory }) => [name, directory])).toEqual([
      ['acme.a', join(plugins, 'acme.a')],
      ['acme.b', join(plugins, 'acme.b')],
    ]);
    expect(installed[0]?.manifest).toMatchObject({ id: 'acme.a', version: '1.0.0' });
    expect(problems).toEqual([
      { id: 'acme.moved', reason: 'its manifest has another id' },
      { id: 'big', reason: 'its manifest.json is larger than 1 MiB' },
      { id: 'empty', reason: 'its manifest.json cannot be read' },
      {
        id: 'other',
        reason: expect.stringContaining('its manifest is not valid (id must be') as string,
      },
      { id: 'text', reason: 'its manifest is not valid (manifest.json is not JSON in UTF-8)' },
    ]);
  });

  test('returns the catalog from which a package came, also after a restart', async () => {
    const listing = { sourceId: 'shelf', sourceKey: 'key' };
    const first = await packages.replace(freshPackage(await packed('1.0.0'), listing));
    expect(first).toMatchObject({ origin: null, listing });
    const [found] = (await new PackageDirectory(plugins, staging).list()).installed;
    expect(found).toMatchObject({ id, manifest: { version: '1.0.0' }, origin: null, listing });
    await install('1.1.0');
    expect((await packages.list()).installed[0]?.listing).toBeUndefined();
  });

  test('is empty before anything was installed', async () => {
    expect(await packages.list()).toEqual({ installed: [], problems: [] });
  });
});
