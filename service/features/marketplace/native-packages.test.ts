import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  api,
  type InstalledPluginDescriptor,
  type PackageInspection,
} from '../../contract/index.ts';
import { archiveFile, packPlugin } from '../../testing/packages.ts';
import { problem } from '../../testing/problem.ts';
import { upload } from '../../testing/sample-plugin.ts';
import { gridOf } from '../../testing/store/sources.ts';
import { testDesktop } from '../../testing/test-desktop.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

const run = promisify(execFile);
let host: TestHost;

beforeAll(async () => {
  host = await startTestHost({
    desktop: testDesktop({ wasChosen: (path) => !path.includes('unchosen') }),
  });
});
afterAll(() => host.close());

const install = (path: string): Promise<InstalledPluginDescriptor> =>
  host.client.call(api.market.uploadNative, { body: { path } });
const inspect = (path: string): Promise<PackageInspection> =>
  host.client.call(api.market.inspectNative, { body: { path } });
const require = (requirePluginChecksum: boolean): Promise<unknown> =>
  host.client.call(api.settings.put, { body: { requirePluginChecksum } });
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const installedIds = async (): Promise<string[]> => (await gridOf(host)).map(({ id }) => id);

let folder: string;
let rounds = 0;
beforeEach(async () => {
  folder = join(host.workDirectory, `picked-${(rounds += 1)}`);
  await mkdir(folder);
});

/** Writes a package, and a sidecar if a text is given for it. */
async function writePackage(
  manifest: Record<string, unknown>,
  sidecar?: (hash: string) => string,
): Promise<{ path: string; bytes: Buffer }> {
  const bytes = await packPlugin({ manifest });
  const path = join(folder, 'picked one.plugin');
  await writeFile(path, bytes);
  if (sidecar) await writeFile(`${path}.sha256`, sidecar(hashOf(bytes)));
  return { path, bytes };
}

describe('a package at a local path, on the desktop', () => {
  it('that the user did not choose is neither read nor installed', async () => {
    const path = join(folder, 'unchosen.plugin');
    await writeFile(path, await packPlugin({ manifest: { id: 'acme.unchosen' } }));
    await expect(inspect(path)).rejects.toEqual(problem('not_chosen', 403));
    await expect(install(path)).rejects.toEqual(problem('not_chosen', 403));
    expect(await installedIds()).not.toContain('acme.unchosen');
  });

  it('is inspected and then installed, and the file is kept [MARKET-10, MARKET-11]', async () => {
    const { path, bytes } = await writePackage({ id: 'acme.picked', permissions: ['network'] });
    await expect(inspect(path)).resolves.toMatchObject({
      id: 'acme.picked',
      version: '1.0.0',
      installed: false,
      comparison: null,
      addedPermissions: ['network'],
      sha256: hashOf(bytes),
      sizeBytes: bytes.length,
    });
    expect(await installedIds()).not.toContain('acme.picked');
    await expect(install(path)).resolves.toMatchObject({
      id: 'acme.picked',
      source: 'THIRD_PARTY',
      enabled: true,
    });
    await expect(readFile(path)).resolves.toEqual(bytes);
    const next = await writePackage({
      id: 'acme.picked',
      version: '1.1.0',
      permissions: ['network'],
    });
    await expect(inspect(next.path)).resolves.toMatchObject({
      installed: true,
      installedVersion: '1.0.0',
      comparison: 'upgrade',
      addedPermissions: [],
    });
    await expect(install(next.path)).resolves.toMatchObject({ version: '1.1.0' });
    expect(await readdir(host.paths.staging)).toEqual([]);
  });

  it('is checked against the .sha256 file next to it [MARKET-26, MARKET-27]', async () => {
    const other = hashOf(Buffer.from('another file'));
    const wrong = await writePackage({ id: 'acme.summed' }, () => `${other}  other.plugin\n`);
    await expect(inspect(wrong.path)).rejects.toEqual(problem('checksum_mismatch', 400));
    await expect(install(wrong.path)).rejects.toEqual(problem('checksum_mismatch', 400));
    const long = await writePackage({ id: 'acme.summed' }, () => 'x'.repeat(1_000_000));
    await expect(install(long.path)).rejects.toEqual(problem('checksum_mismatch', 400));
    await rm(`${long.path}.sha256`);
    await require(true);
    await expect(install(long.path)).rejects.toEqual(problem('checksum_required', 400));
    await expect(inspect(long.path)).resolves.toMatchObject({ id: 'acme.summed' });
    await mkdir(`${long.path}.sha256`);
    await expect(install(long.path)).rejects.toEqual(problem('checksum_required', 400));
    await rm(`${long.path}.sha256`, { recursive: true });
    expect(await installedIds()).not.toContain('acme.summed');
    const right = await writePackage(
      { id: 'acme.summed' },
      (hash) => `${hash.toUpperCase()} *x\r\n`,
    );
    await expect(install(right.path)).resolves.toMatchObject({ id: 'acme.summed' });
    await require(false);
  });

  it.runIf(process.platform !== 'win32')(
    'never waits for a named pipe in place of a file',
    async () => {
      const { path } = await writePackage({ id: 'acme.piped' });
      await run('mkfifo', [`${path}.sha256`, join(folder, 'pipe.plugin')]);
      await expect(inspect(path)).resolves.toMatchObject({ id: 'acme.piped' });
      const pipe = inspect(join(folder, 'pipe.plugin'));
      await expect(pipe).rejects.toEqual(problem('unknown_file', 404));
    },
  );

  it('may be chosen through a link', async () => {
    const { path } = await writePackage({ id: 'acme.linked' });
    await symlink(path, join(folder, 'link.plugin'));
    await expect(inspect(join(folder, 'link.plugin'))).resolves.toMatchObject({
      id: 'acme.linked',
    });
  });

  it('that is not a file, or not a package, is refused without repeating the path', async () => {
    const { path } = await writePackage({ id: 'acme.there' });
    const missing = [
      join(folder, 'gone.plugin'),
      folder,
      'picked one.plugin',
      './picked one.plugin',
      join(path, 'inside'),
      `${path}\u0000.plugin`,
      `file://${path}`,
    ];
    for (const one of missing) {
      for (const ask of [inspect, install]) {
        const refused = ask(one);
        await expect(refused).rejects.toEqual(problem('unknown_file', 404));
        await expect(refused).rejects.not.toMatchObject({
          problem: { detail: expect.stringContaining(folder) as string },
        });
      }
    }
    await writeFile(path, 'no package');
    await expect(install(path)).rejects.toEqual(problem('invalid_package', 400));
    const reserved = await writePackage({ id: 'host.picked' });
    await expect(install(reserved.path)).rejects.toEqual(problem('reserved_identity', 403));
    const links = archiveFile('Z-06-symlink-dir');
    await expect(inspect(links)).rejects.toEqual(problem('invalid_package', 400));
    for (const body of [{}, { path: '' }, { path: 7 }, { path, sha256: 'x' }]) {
      const answer = await host.ask('/api/plugin-market/upload-native', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(400);
    }
  });
});

it('without a desktop no path is accepted, whether a file exists or not [MARKET-12]', async () => {
  const headless = await startTestHost();
  try {
    const { path } = await writePackage({ id: 'acme.headless' });
    for (const one of [path, join(folder, 'gone.plugin')]) {
      const body = { path: one };
      const desktopOnly = problem('desktop_only', 501);
      await expect(headless.client.call(api.market.uploadNative, { body })).rejects.toEqual(
        desktopOnly,
      );
      await expect(headless.client.call(api.market.inspectNative, { body })).rejects.toEqual(
        desktopOnly,
      );
    }
    expect(await gridOf(headless)).toEqual([]);
  } finally {
    await headless.close();
  }
});

it.each([
  '.host-plugin.json',
  '.HOST-Plugin.JSON',
  // Some file systems treat this letter as a plain one.
  '.ho\u017ft-plugin.json',
  '.host-plug\u200bin.json',
  '.host-plugin.json/inside.txt',
  '.host-plugin.json/',
])(
  'a package that brings the record of the host (%s) is refused, however it is installed [MARKET-19]',
  async (name) => {
    const record = JSON.stringify({ manifest: { id: 'acme.record' }, origin: {} });
    const bytes = await packPlugin({ manifest: { id: 'acme.record' }, files: { [name]: record } });
    const invalid = problem('invalid_package', 400);
    await expect(upload(host, bytes)).rejects.toEqual(invalid);
    const path = join(folder, 'record.plugin');
    await writeFile(path, bytes);
    await expect(install(path)).rejects.toEqual(invalid);
    await expect(inspect(path)).rejects.toEqual(invalid);
    expect(await installedIds()).not.toContain('acme.record');
  },
);
