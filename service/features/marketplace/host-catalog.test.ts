import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  api,
  type InstalledPluginDescriptor,
  type MarketplacePlugin,
} from '../../contract/index.ts';
import { packPlugin } from '../../testing/packages.ts';
import { problem } from '../../testing/problem.ts';
import { upload } from '../../testing/sample-plugin.ts';
import {
  addSource,
  claudeCatalog,
  gridOf,
  refreshSource,
  removeSource,
  setSource,
  sourceOf,
  writeAt,
} from '../../testing/store/sources.ts';
import { startStaticServer } from '../../testing/store/static-server.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const web = await useForFile(startStaticServer());
const host = await useForFile(startTestHost());

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
type Manifest = Record<string, unknown> & { id: string };
const manifestOf = (id: string, more: Record<string, unknown> = {}): Manifest => ({
  id,
  name: `Plugin ${id}`,
  version: '1.0.0',
  ...more,
});
const catalogOf = (...plugins: object[]): string => JSON.stringify({ name: 'Packages', plugins });

const install = (id: string, on: TestHost = host): Promise<unknown> =>
  on.client.call(api.market.install, { params: { id } });
const update = (id: string): Promise<unknown> =>
  host.client.call(api.market.update, { params: { id } });
const uninstall = (id: string, on: TestHost = host): Promise<unknown> =>
  on.client.call(api.market.uninstall, { params: { id }, query: { deleteData: 'true' } });
const installed = (): Promise<InstalledPluginDescriptor[]> => host.client.call(api.plugins.list);
const pluginOf = async (id: string, on: TestHost = host): Promise<MarketplacePlugin | undefined> =>
  (await gridOf(on)).find((one) => one.id === id);

/** Serves a package and returns its entry. */
async function serve(
  manifest: Manifest,
  entry: Record<string, unknown> = {},
): Promise<{ bytes: Buffer; entry: Record<string, unknown> }> {
  const bytes = await packPlugin({ manifest });
  const name = `${manifest.id}-${String(manifest['version'])}.plugin`;
  web.files.set(`/${name}`, bytes);
  const sha256 = hashOf(bytes);
  return { bytes, entry: { ...manifest, package: name, sha256, ...entry } };
}

let served = 0;
/** Adds a source with a web catalog that exists for one test. */
async function subscribe(...plugins: object[]): Promise<string> {
  served += 1;
  web.files.set(`/catalog-${served}.json`, catalogOf(...plugins));
  const url = `${web.baseUrl}/catalog-${served}.json`;
  const { id } = await addSource(host, { url });
  return id;
}

afterEach(async () => {
  for (const { id, builtIn } of await host.client.call(api.store.sources)) {
    if (!builtIn) await removeSource(host, id);
  }
  for (const { id } of await gridOf(host)) await uninstall(id);
  expect(await readdir(host.paths.staging)).toEqual([]);
});

describe('a package of a catalog', () => {
  it('is listed and installs, with a relative or an absolute address [MARKET-02, MARKET-13, STORE-13]', async () => {
    const manifest = manifestOf('acme.relative', {
      description: 'Counts.',
      author: 'The tests',
      category: 'data',
      icon: 'x',
      permissions: ['network'],
    });
    const first = await serve(manifest, { sizeBytes: 1_234, keywords: ['a'] });
    const second = await serve(manifestOf('acme.absolute'));
    const absolute = `${web.baseUrl}/acme.absolute-1.0.0.plugin`;
    const source = await subscribe(first.entry, { ...second.entry, package: absolute });
    await expect(pluginOf('acme.relative')).resolves.toMatchObject({
      id: 'acme.relative',
      name: 'Plugin acme.relative',
      version: '1.0.0',
      description: 'Counts.',
      category: 'data',
      permissions: ['network'],
      keywords: ['a'],
      source: 'THIRD_PARTY',
      sourceId: source,
      sourceName: 'Packages',
      installed: false,
      installedVersion: null,
      updateAvailable: false,
      installable: true,
    });
    await expect(install('acme.relative')).resolves.toMatchObject({
      id: 'acme.relative',
      source: 'THIRD_PARTY',
      enabled: true,
      version: '1.0.0',
    });
    await expect(install('acme.absolute')).resolves.toMatchObject({ id: 'acme.absolute' });
    await expect(pluginOf('acme.relative')).resolves.toMatchObject({
      installed: true,
      installedVersion: '1.0.0',
      updateAvailable: false,
      sourceId: source,
    });
    const page = await host.ask('/plugin-runtime/acme.relative/index.html');
    expect(page.text).toContain('Demo');
    await expect(install('acme.relative')).rejects.toEqual(problem('already_installed', 409));
    await expect(install('acme.nothing')).rejects.toEqual(problem('unknown_plugin', 404));
  });

  it('in a file catalog may be next to it or anywhere on this disk', async () => {
    const folder = join(host.workDirectory, 'shelf');
    await mkdir(folder);
    const bytes = await packPlugin({ manifest: manifestOf('acme.filed') });
    await writeFile(join(folder, 'filed.plugin'), bytes);
    const other = await packPlugin({ manifest: manifestOf('acme.elsewhere') });
    const elsewhere = await writeAt(join(host.workDirectory, 'elsewhere.plugin'), other);
    const url = await writeAt(
      join(folder, 'catalog.json'),
      catalogOf(
        { ...manifestOf('acme.filed'), package: 'filed.plugin', sha256: hashOf(bytes) },
        { ...manifestOf('acme.elsewhere'), package: elsewhere },
        { ...manifestOf('acme.lost'), package: 'lost.plugin' },
        { ...manifestOf('acme.folder'), package: '.' },
        { ...manifestOf('acme.web'), package: `${web.baseUrl}/x.plugin` },
      ),
    );
    await addSource(host, { url });
    await expect(install('acme.filed')).resolves.toMatchObject({ id: 'acme.filed' });
    await expect(install('acme.elsewhere')).resolves.toMatchObject({ id: 'acme.elsewhere' });
    await expect(install('acme.lost')).rejects.toEqual(problem('package_unreachable', 502));
    await expect(install('acme.folder')).rejects.toEqual(problem('package_unreachable', 502));
    await expect(install('acme.web')).rejects.toEqual(problem('not_installable', 409));
  });

  it('with a wrong hash is refused, also if checksums are not required [STORE-12]', async () => {
    const { entry } = await serve(manifestOf('acme.wrong'));
    await subscribe({ ...entry, sha256: hashOf(Buffer.from('another')) });
    await expect(install('acme.wrong')).rejects.toEqual(problem('checksum_mismatch', 400));
    await expect(installed()).resolves.toEqual([]);
  });

  it('that is another plugin, or not a package, is refused', async () => {
    const bytes = await packPlugin({ manifest: manifestOf('acme.actual') });
    web.files.set('/mixed-up.plugin', bytes);
    web.files.set('/no-package.plugin', 'just text');
    await subscribe(
      { ...manifestOf('acme.claimed'), package: 'mixed-up.plugin', sha256: hashOf(bytes) },
      { ...manifestOf('acme.text'), package: 'no-package.plugin' },
      { ...manifestOf('acme.missing'), package: 'missing.plugin' },
    );
    await expect(install('acme.claimed')).rejects.toEqual(problem('invalid_package', 400));
    await expect(install('acme.text')).rejects.toEqual(problem('invalid_package', 400));
    await expect(install('acme.missing')).rejects.toEqual(problem('package_unreachable', 502));
    await expect(installed()).resolves.toEqual([]);
  });

  it('that needs a newer host is refused', async () => {
    const { entry } = await serve(manifestOf('acme.newer', { minHostVersion: '99.0.0' }));
    await subscribe(entry);
    await expect(install('acme.newer')).rejects.toEqual(problem('host_too_old', 409));
  });

  it('that claims to be official is not listed, and refused if only the package claims it [MARKET-23, STORE-12]', async () => {
    const flagged = await serve(manifestOf('acme.flagged', { official: true }));
    const { official: _, ...silent } = flagged.entry;
    const source = await subscribe(
      { ...manifestOf('host.imitation'), package: 'x.plugin' },
      { ...manifestOf('acme.official', { official: true }), package: 'x.plugin' },
      silent,
    );
    const listed = await sourceOf(host, source);
    expect(listed?.warnings.map(({ entry }) => entry)).toEqual(['host.imitation', 'acme.official']);
    expect((await gridOf(host, source)).map(({ id }) => id)).toEqual(['acme.flagged']);
    await expect(install('host.imitation')).rejects.toEqual(problem('unknown_plugin', 404));
    await expect(install('acme.flagged')).rejects.toEqual(problem('reserved_identity', 403));
    await expect(installed()).resolves.toEqual([]);
  });

  it('on a disk, on a private network or behind a redirect to one is not fetched [STORE-12]', async () => {
    web.files.set('/moved.plugin', (_req, res) => {
      res.writeHead(302, { Location: 'http://192.168.0.1/x.plugin' }).end();
    });
    const source = await subscribe(
      { ...manifestOf('acme.disk'), package: 'file:///etc/hostname' },
      { ...manifestOf('acme.private'), package: 'http://10.0.0.1/x.plugin' },
      { ...manifestOf('acme.metadata'), package: 'http://169.254.169.254/x.plugin' },
      { ...manifestOf('acme.moved'), package: 'moved.plugin' },
    );
    const listed = await sourceOf(host, source);
    expect(listed?.warnings.map(({ entry }) => entry)).toEqual(['acme.disk']);
    await expect(pluginOf('acme.private')).resolves.toMatchObject({
      installable: false,
      notInstallableReason: expect.stringMatching(/private/) as string,
    });
    await expect(install('acme.private')).rejects.toEqual(problem('not_installable', 409));
    await expect(install('acme.metadata')).rejects.toEqual(problem('not_installable', 409));
    await expect(install('acme.moved')).rejects.toEqual(problem('address_refused', 400));
  });
});

describe('an update', () => {
  it('of a package never comes from a catalog of repositories, whatever its id', async () => {
    const id = 'claude.takes-over.words';
    await upload(host, (await serve(manifestOf(id))).bytes);
    web.files.set('/takes-over.json', claudeCatalog('takes-over', ['words']));
    await addSource(host, { url: `${web.baseUrl}/takes-over.json` });
    await expect(pluginOf(id)).resolves.toMatchObject({ installed: true, sourceId: null });
    await expect(update(id)).rejects.toEqual(problem('not_in_catalog', 409));
    await uninstall(id);
  });

  it('comes from the catalog of the package while that is a source', async () => {
    const id = 'acme.owned';
    const other = await serve(manifestOf(id, { version: '9.0.0', name: 'Taken over' }));
    const first = await serve(manifestOf(id));
    const early = await subscribe(manifestOf('acme.somebody-else'));
    const earlyUrl = `/catalog-${served}.json`;
    const own = await subscribe(first.entry);
    await install(id);
    web.files.set(earlyUrl, catalogOf(other.entry));
    await refreshSource(host, early);
    await expect(pluginOf(id)).resolves.toMatchObject({ sourceId: own, updateAvailable: false });
    await expect(update(id)).resolves.toMatchObject({ id, version: '1.0.0' });
    await setSource(host, own, false);
    await expect(pluginOf(id)).resolves.toMatchObject({ sourceId: null, updateAvailable: false });
    await expect(update(id)).rejects.toEqual(problem('not_in_catalog', 409));
    await removeSource(host, own);
    await expect(pluginOf(id)).resolves.toMatchObject({ sourceId: early, updateAvailable: true });
    await uninstall(id);
    await removeSource(host, early);
  });

  it('is offered by semantic version order and installs the version now in the catalog [MARKET-07]', async () => {
    const id = 'acme.updated';
    const first = await serve(manifestOf(id, { version: '1.9.0' }));
    const source = await subscribe(first.entry);
    await install(id);
    await host.client.call(api.market.setEnabled, { params: { id }, body: { enabled: false } });
    const offered = async (version: string): Promise<boolean | undefined> => {
      const { entry } = await serve(manifestOf(id, { version }));
      web.files.set(`/catalog-${served}.json`, catalogOf(entry));
      await refreshSource(host, source);
      return (await pluginOf(id))?.updateAvailable;
    };
    for (const older of ['1.8.9', '1.9.0', '1.9.0-rc.1', '1.9.0+build.7', '0.10.0']) {
      expect([older, await offered(older)]).toEqual([older, false]);
    }
    for (const newer of ['1.10.0', '1.9.1-beta.1', '2.0.0', '1.10.0-rc.1']) {
      expect([newer, await offered(newer)]).toEqual([newer, true]);
    }
    await expect(update(id)).resolves.toMatchObject({ version: '1.10.0-rc.1', enabled: false });
    await expect(pluginOf(id)).resolves.toMatchObject({
      installedVersion: '1.10.0-rc.1',
      updateAvailable: false,
    });
    expect(await offered('1.10.0-rc.1')).toBe(false);
    expect(await offered('1.10.0')).toBe(true);
  });

  it('that is refused does not change the installed copy', async () => {
    const id = 'acme.kept';
    const first = await serve(manifestOf(id));
    const source = await subscribe(first.entry);
    await install(id);
    const { entry } = await serve(manifestOf(id, { version: '2.0.0' }), {
      sha256: hashOf(Buffer.from('x')),
    });
    web.files.set(`/catalog-${served}.json`, catalogOf(entry));
    await refreshSource(host, source);
    await expect(update(id)).rejects.toEqual(problem('checksum_mismatch', 400));
    await expect(installed()).resolves.toMatchObject([{ id, version: '1.0.0' }]);
  });

  it('of a plugin that is in no catalog, or in a hidden one, is refused [MARKET-18]', async () => {
    const id = 'acme.alone';
    const { entry } = await serve(manifestOf(id));
    const source = await subscribe(entry);
    await install(id);
    await setSource(host, source, false);
    await expect(update(id)).rejects.toEqual(problem('not_in_catalog', 409));
    await setSource(host, source, true);
    await expect(update(id)).resolves.toMatchObject({ id });
    await removeSource(host, source);
    await expect(update(id)).rejects.toEqual(problem('not_in_catalog', 409));
    await expect(installed()).resolves.toMatchObject([{ id }]);
  });
});

describe('with checksums required', () => {
  const require = (requirePluginChecksum: boolean): Promise<unknown> =>
    host.client.call(api.settings.put, { body: { requirePluginChecksum } });
  beforeAll(() => require(true));
  afterAll(() => require(false));

  const other = hashOf(Buffer.from('another file'));
  const oneDigitWrong = (hash: string): string =>
    hash.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));

  it.each([
    ['is missing', 'checksum_required', (): null => null],
    ['is empty', 'checksum_required', () => ''],
    ['has one digit wrong', 'checksum_mismatch', oneDigitWrong],
    ['is of another file', 'checksum_mismatch', () => `${other}  other.plugin\n`],
    ['is no checksum', 'checksum_mismatch', () => '<!doctype html>'],
  ])(
    'a sidecar that %s: refused, and nothing is installed [MARKET-26, MARKET-27]',
    async (_name, code, sidecar: (hash: string) => string | null) => {
      const { bytes, entry } = await serve(manifestOf('acme.summed'), { sha256: undefined });
      const text = sidecar(hashOf(bytes));
      const path = '/acme.summed-1.0.0.plugin.sha256';
      if (text === null) web.files.delete(path);
      else web.files.set(path, text);
      await subscribe(entry);
      await expect(install('acme.summed')).rejects.toEqual(problem(code, 400));
      await expect(installed()).resolves.toEqual([]);
    },
  );

  it.each([
    ['lower case', (hash: string) => hash],
    ['upper case', (hash: string) => hash.toUpperCase()],
    ['with the name', (hash: string) => `${hash}  acme.summed.plugin\n`],
    ['with the name of a binary', (hash: string) => `${hash} *acme.summed.plugin\r\n`],
  ])('a sidecar in %s is valid [MARKET-26]', async (_name, sidecar: (hash: string) => string) => {
    const { bytes, entry } = await serve(manifestOf('acme.summed'), { sha256: undefined });
    web.files.set('/acme.summed-1.0.0.plugin.sha256', sidecar(hashOf(bytes)));
    await subscribe(entry);
    await expect(install('acme.summed')).resolves.toMatchObject({ id: 'acme.summed' });
  });

  it('the checksum of the entry counts, in upper or lower case', async () => {
    const { bytes, entry } = await serve(manifestOf('acme.summed'));
    web.files.set('/acme.summed-1.0.0.plugin.sha256', other);
    await subscribe({ ...entry, sha256: hashOf(bytes).toUpperCase() });
    await expect(install('acme.summed')).resolves.toMatchObject({ id: 'acme.summed' });
  });

  it('the sidecar of a file is next to it', async () => {
    const bytes = await packPlugin({ manifest: manifestOf('acme.beside') });
    const file = join(host.workDirectory, 'beside.plugin');
    await writeFile(file, bytes);
    const entry = { ...manifestOf('acme.beside'), package: 'beside.plugin' };
    const url = await writeAt(join(host.workDirectory, 'beside.json'), catalogOf(entry));
    await addSource(host, { url });
    await expect(install('acme.beside')).rejects.toEqual(problem('checksum_required', 400));
    await writeFile(`${file}.sha256`, `${hashOf(bytes).toUpperCase()}  beside.plugin\n`);
    await expect(install('acme.beside')).resolves.toMatchObject({ id: 'acme.beside' });
  });

  it('a sidecar that is too large or cannot be fetched is not a checksum', async () => {
    const { entry } = await serve(manifestOf('acme.summed'), { sha256: undefined });
    const path = '/acme.summed-1.0.0.plugin.sha256';
    await subscribe(entry);
    web.files.set(path, Buffer.alloc(5_000, 'a'));
    await expect(install('acme.summed')).rejects.toEqual(problem('too_large', 413));
    web.files.set(path, (_req, res) => void res.writeHead(500).end(entry['sha256']));
    await expect(install('acme.summed')).rejects.toEqual(problem('checksum_required', 400));
    await expect(installed()).resolves.toEqual([]);
  });
});

describe('the built-in catalog address', () => {
  const start = (catalogUrl: string, workDirectory?: string): Promise<TestHost> =>
    startTestHost({ properties: { catalogUrl }, ...(workDirectory ? { workDirectory } : {}) });

  it('can be set to a web address [MARKET-17]', async () => {
    const { entry } = await serve(manifestOf('acme.vendor'));
    const imitation = { ...manifestOf('host.imitation'), package: 'x.plugin' };
    web.files.set('/vendor.json', catalogOf(entry, imitation));
    const url = `${web.baseUrl}/vendor.json`;
    let own = await start(url);
    try {
      await expect.poll(() => pluginOf('acme.vendor', own)).toMatchObject({ sourceId: 'host' });
      await expect(own.client.call(api.store.sources)).resolves.toEqual([
        expect.objectContaining({
          id: 'host',
          builtIn: true,
          kind: 'HOST',
          url,
          name: 'Official plugins',
          pluginCount: 1,
          warnings: [expect.objectContaining({ entry: 'host.imitation' })],
        }),
      ]);
      await expect(install('acme.vendor', own)).resolves.toMatchObject({ source: 'THIRD_PARTY' });
      await expect(addSource(own, { url })).rejects.toEqual(problem('source_exists', 409));
      web.files.set('/vendor.json', 'broken');
      await expect(refreshSource(own, 'host')).resolves.toMatchObject({
        pluginCount: 1,
        error: expect.any(String) as string,
      });
      await own.stop();
      own = await start(url, own.workDirectory);
      await expect(sourceOf(own, 'host')).resolves.toMatchObject({ pluginCount: 1 });
      await own.stop();
      own = await start('http://127.0.0.1:1/other.json', own.workDirectory);
      await expect(sourceOf(own, 'host')).resolves.toMatchObject({ pluginCount: 0 });
    } finally {
      await own.close();
    }
  });

  it('can be a file address [MARKET-17]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vendor-'));
    const bytes = await packPlugin({ manifest: manifestOf('acme.vendor') });
    await writeFile(join(folder, 'vendor.plugin'), bytes);
    const entry = { ...manifestOf('acme.vendor'), package: 'vendor.plugin' };
    const own = await start(await writeAt(join(folder, 'vendor.json'), catalogOf(entry)));
    try {
      await expect.poll(() => pluginOf('acme.vendor', own)).toMatchObject({ sourceId: 'host' });
      await expect(install('acme.vendor', own)).resolves.toMatchObject({ id: 'acme.vendor' });
    } finally {
      await own.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it.each(['word', 'ssh://example.com/x', 'file:///no/such/file.json'])(
    'that cannot be read (%s) leaves the store as it is',
    async (catalogUrl) => {
      const own = await start(catalogUrl);
      try {
        await expect
          .poll(() => sourceOf(own, 'host'))
          .toMatchObject({ pluginCount: 0, error: expect.any(String) as string });
        expect(await gridOf(own)).toEqual([]);
      } finally {
        await own.close();
      }
    },
  );
});

describe('packages that ship with the host', () => {
  let shippedDirectory: string;
  let own: TestHost;
  const id = 'host.shipped';

  beforeEach(async () => {
    shippedDirectory = await mkdtemp(join(tmpdir(), 'shipped-'));
    const manifest = manifestOf(id, { official: true });
    const bytes = await packPlugin({ manifest });
    const name = `${id}-1.0.0.plugin`;
    await writeFile(join(shippedDirectory, name), bytes);
    await writeFile(join(shippedDirectory, `${name}.sha256`), `${hashOf(bytes)}  ${name}\n`);
    const entry = { ...manifest, package: name, sha256: hashOf(bytes), sizeBytes: bytes.length };
    await writeFile(join(shippedDirectory, 'catalog.json'), JSON.stringify({ plugins: [entry] }));
    own = await startTestHost({ resources: { plugins: shippedDirectory } });
  });
  afterEach(async () => {
    await own.close();
    await rm(shippedDirectory, { recursive: true, force: true });
  });

  it('are in the store, also offline, and can be reinstalled as official ones [STORE-04, MARKET-25]', async () => {
    await expect(pluginOf(id, own)).resolves.toMatchObject({
      installed: true,
      source: 'OFFICIAL',
      sourceId: 'host',
      updateAvailable: false,
    });
    await uninstall(id, own);
    await expect(pluginOf(id, own)).resolves.toMatchObject({
      installed: false,
      source: 'OFFICIAL',
      sourceName: 'Official plugins',
    });
    await own.client.call(api.settings.put, { body: { requirePluginChecksum: true } });
    await expect(install(id, own)).resolves.toMatchObject({ id, source: 'OFFICIAL' });
    const update = own.client.call(api.market.update, { params: { id } });
    await expect(update).resolves.toMatchObject({ id, source: 'OFFICIAL', version: '1.0.0' });
  });

  it('are not installed if they were changed [MARKET-24]', async () => {
    await uninstall(id, own);
    const swapped = await packPlugin({
      manifest: manifestOf(id, { official: true, description: 'Swapped.' }),
    });
    const file = join(shippedDirectory, `${id}-1.0.0.plugin`);
    await writeFile(file, swapped);
    await writeFile(`${file}.sha256`, hashOf(swapped));
    await expect(install(id, own)).rejects.toEqual(problem('checksum_mismatch', 400));
    await expect(own.client.call(api.plugins.list)).resolves.toEqual([]);
  });

  it('may have a damaged catalog, and the host starts nevertheless', async () => {
    await own.stop();
    for (const text of ['{"plugins"', '[]', '']) {
      await writeFile(join(shippedDirectory, 'catalog.json'), text);
      const { workDirectory } = own;
      own = await startTestHost({ resources: { plugins: shippedDirectory }, workDirectory });
      await expect(sourceOf(own, 'host')).resolves.toMatchObject({
        name: 'Official plugins',
        pluginCount: 0,
        warnings: [{ entry: '', reason: expect.stringMatching(/damaged/) as string }],
      });
      await expect(pluginOf(id, own)).resolves.toMatchObject({ installed: true, sourceId: null });
      await own.stop();
    }
  });
});
