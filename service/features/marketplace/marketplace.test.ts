import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { archiveFile, packPlugin } from '../../testing/packages.ts';
import { problem } from '../../testing/problem.ts';
import { snapshot } from '../../testing/package-trees.ts';
import { installSample, invoke, samplePackage, upload } from '../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const run = promisify(execFile);

const host = await useForFile(startTestHost());

const inspect = (bytes: Buffer, sha256?: string) =>
  host.client.call(api.market.inspect, {
    file: new Blob([new Uint8Array(bytes)]),
    fields: sha256 === undefined ? {} : { sha256 },
  });
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
/** Also succeeds for a plugin that is not installed, for a test that is repeated. */
const uninstall = (id: string): Promise<unknown> =>
  host.client
    .call(api.market.uninstall, { params: { id }, query: { deleteData: 'true' } })
    .catch((error: unknown) => expect(error).toEqual(problem('unknown_plugin', 404)));
const installedIds = async (): Promise<string[]> =>
  (await host.client.call(api.market.list)).map((one) => one.id);

describe('inspecting', () => {
  it('returns the contents and installs nothing [MARKET-03, MARKET-04, MARKET-06, HTTP-02]', async () => {
    const bytes = await packPlugin({ manifest: { permissions: ['network', 'files.read'] } });
    await expect(inspect(bytes)).resolves.toEqual({
      warnings: [],
      id: 'acme.demo',
      name: 'Demo',
      version: '1.0.0',
      installed: false,
      installedVersion: null,
      comparison: null,
      permissions: ['network', 'files.read'],
      addedPermissions: ['network', 'files.read'],
      official: false,
      database: false,
      sha256: hashOf(bytes),
      sizeBytes: bytes.length,
    });
    expect(await installedIds()).toEqual([]);
    expect(await readdir(join(host.workDirectory, '.host', 'staging'))).toEqual([]);
  });

  it('compares with the installed version by semantic versioning [MARKET-05, VERSION-02]', async () => {
    const id = 'acme.versions';
    await upload(
      host,
      await packPlugin({ manifest: { id, version: '1.10.0', permissions: ['network'] } }),
    );
    const compare = async (version: string): Promise<unknown> =>
      (
        await inspect(
          await packPlugin({ manifest: { id, version, permissions: ['network', 'files.read'] } }),
        )
      ).comparison;
    expect(await compare('1.10.1')).toBe('upgrade');
    expect(await compare('1.9.9')).toBe('downgrade');
    expect(await compare('1.10.0')).toBe('same');
    expect(await compare('1.10.0-rc.1')).toBe('downgrade');
    expect(await compare('1.10.0+build.5')).toBe('same');
    const { addedPermissions, installedVersion } = await inspect(
      await packPlugin({ manifest: { id, permissions: ['network', 'files.read'] } }),
    );
    expect({ addedPermissions, installedVersion }).toEqual({
      addedPermissions: ['files.read'],
      installedVersion: '1.10.0',
    });
  });
});

describe('uploading', () => {
  it('accepts a valid package and serves its contents [PLUGIN-01, PLUGIN-20]', async () => {
    await upload(host, await readFile(archiveFile('Z-01-valid')));
    expect((await host.ask('/plugin-runtime/acme.demo/index.html')).text).toBe(
      '<!doctype html><title>x</title>',
    );
  });

  const hostile = [
    'Z-02-dotdot',
    'Z-03-absolute',
    'Z-06-symlink-dir',
    'Z-07-duplicate-manifest',
    'Z-10-overlap',
    'Z-13-junk-and-second-eocd',
    'Z-14-encrypted-flag',
    'Z-15-truncated',
    'Z-16-empty',
    'Z-16-targz',
    'Z-22-case-collision',
    'Z-24-special-modes',
    'Z-25-file-and-dir',
    'Z-27-crc',
    ...Array.from({ length: 13 }, (_, n) => `Z-19-id-${String(n).padStart(2, '0')}`),
  ];
  it.each(hostile)('refuses %s as inspecting does, without changes [MARKET-19]', async (name) => {
    const bytes = await readFile(archiveFile(name));
    const before = await snapshot(join(host.workDirectory, '.host', 'plugins'));
    const refused = await upload(host, bytes).catch((error: unknown) => error);
    expect(refused).toEqual(problem('invalid_package', 400));
    const inspected = await inspect(bytes).catch((error: unknown) => error);
    expect((inspected as { problem: unknown }).problem).toEqual(
      (refused as { problem: unknown }).problem,
    );
    expect(await snapshot(join(host.workDirectory, '.host', 'plugins'))).toEqual(before);
    expect(await readdir(join(host.workDirectory, '.host', 'staging'))).toEqual([]);
    expect(JSON.stringify((refused as { problem: unknown }).problem)).not.toContain(
      host.workDirectory,
    );
  });

  it.each(['host.words', 'host.anything.else'])(
    'refuses the reserved id %s [MARKET-21]',
    async (id) => {
      await expect(inspect(await packPlugin({ manifest: { id } }))).rejects.toEqual(
        problem('reserved_identity', 403),
      );
      await expect(upload(host, await packPlugin({ manifest: { id } }))).rejects.toEqual(
        problem('reserved_identity', 403),
      );
      expect(await installedIds()).not.toContain(id);
    },
  );

  it('refuses a package that claims to be official, also as an update [MARKET-22, MARKET-25]', async () => {
    await expect(upload(host, await packPlugin({ manifest: { official: true } }))).rejects.toEqual(
      problem('reserved_identity', 403),
    );
    const listed = await host.client.call(api.market.list);
    expect(listed.find((one) => one.id === 'acme.demo')?.source).toBe('THIRD_PARTY');
  });

  it('refuses a package that needs a newer host, and accepts one that needs this one', async () => {
    await expect(
      upload(host, await packPlugin({ manifest: { id: 'acme.new', minHostVersion: '4.0.0' } })),
    ).rejects.toEqual(problem('host_too_old', 409));
    await expect(
      upload(
        host,
        await packPlugin({ manifest: { id: 'acme.new', minHostVersion: '4.0.0-beta.4' } }),
      ),
    ).resolves.toMatchObject({ id: 'acme.new' });
  });

  it('refuses a manifest with inconsistent parts, naming the part', async () => {
    const aiTools = [{ name: 't', description: 'd', method: 'nothing', effect: 'read' }];
    const refused = upload(host, await packPlugin({ manifest: { id: 'acme.bad', aiTools } }));
    await expect(refused).rejects.toMatchObject({
      problem: { code: 'invalid_package', errors: [{ path: 'aiTools.0.method' }] },
    });
    const methods = { m: { params: { type: 'nonsense' } } };
    await expect(
      upload(host, await packPlugin({ manifest: { id: 'acme.bad', methods } })),
    ).rejects.toMatchObject({ problem: { errors: [{ path: 'methods.m.params' }] } });
  });

  it.each([
    ['no file at all', new FormData()],
    ['a file in another field', formOf('other', 'x')],
  ])('refuses %s', async (_name, form) => {
    const answer = await fetch(`${host.baseUrl}/api/plugin-market/upload`, {
      method: 'POST',
      body: form,
      headers: { 'X-Host-Token': host.token },
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: expect.stringMatching(/^(file_missing|unexpected_file|invalid_multipart)$/) as string,
    });
  });

  it('refuses a body that is not multipart, and one that breaks off', async () => {
    const json = await host.ask('/api/plugin-market/upload', {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(json.status).toBe(415);
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const cut = await host.ask('/api/plugin-market/upload', {
      method: 'POST',
      headers,
      body: '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nabc',
    });
    expect(cut.status).toBe(400);
    await expect.poll(() => readdir(join(host.workDirectory, '.host', 'staging'))).toEqual([]);
  });

  it('leaves nothing behind if the client disconnects during an upload', async () => {
    const leaving = new AbortController();
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(
          new TextEncoder().encode(
            '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nabc',
          ),
        );
      },
    });
    const headers = {
      'X-Host-Token': host.token,
      'Content-Type': 'multipart/form-data; boundary=b',
    };
    const request = {
      method: 'POST',
      body,
      duplex: 'half',
      headers,
      signal: leaving.signal,
    } as RequestInit;
    const sent = fetch(`${host.baseUrl}/api/plugin-market/upload`, request).catch(
      (error: unknown) => error,
    );
    await expect.poll(() => readdir(join(host.workDirectory, '.host', 'staging'))).toHaveLength(1);
    leaving.abort();
    await sent;
    await expect.poll(() => readdir(join(host.workDirectory, '.host', 'staging'))).toEqual([]);
  });
});

function formOf(field: string, content: string): FormData {
  const form = new FormData();
  form.append(field, new Blob([content]), 'x.plugin');
  return form;
}

describe('the checksum requirement', () => {
  it('accepts the right sidecar in any of its forms and refuses everything else [MARKET-26, MARKET-27, SETTINGS-22]', async () => {
    await uninstall('acme.summed');
    await host.client.call(api.settings.put, { body: { requirePluginChecksum: true } });
    const bytes = await packPlugin({ manifest: { id: 'acme.summed' } });
    const right = hashOf(bytes);
    const wrong = right.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    const other = hashOf(Buffer.from('another file'));
    await expect(upload(host, bytes)).rejects.toEqual(problem('checksum_required', 400));
    for (const claimed of [wrong, other, `${other}  acme.plugin`, 'rubbish', right.slice(1)]) {
      await expect(upload(host, bytes, claimed)).rejects.toEqual(problem('checksum_mismatch', 400));
    }
    expect(await installedIds()).not.toContain('acme.summed');
    for (const claimed of [
      right,
      right.toUpperCase(),
      `${right}  acme.plugin\n`,
      `${right} *acme.plugin\r\n`,
    ]) {
      await expect(upload(host, bytes, claimed)).resolves.toMatchObject({ id: 'acme.summed' });
    }
    await host.client.call(api.settings.put, { body: { requirePluginChecksum: false } });
    await expect(upload(host, bytes, wrong)).rejects.toEqual(problem('checksum_mismatch', 400));
  });
});

describe('the built-in source', () => {
  const id = 'host.sample';
  let seeds: string;
  const bridge = join(import.meta.dirname, 'none');
  const start = (workDirectory?: string): Promise<TestHost> =>
    startTestHost({
      resources: { shell: null, bridge, plugins: seeds, h2Bridge: null },
      ...(workDirectory ? { workDirectory } : {}),
    });

  async function writePackage(version: string, sidecar?: string): Promise<void> {
    const bytes = await samplePackage({ manifest: { id, version, official: true } });
    await writeFile(join(seeds, `${id}-${version}.plugin`), bytes);
    await writeFile(
      join(seeds, `${id}-${version}.plugin.sha256`),
      sidecar ?? `${hashOf(bytes)}  ${id}.plugin\n`,
    );
  }

  beforeEach(async () => {
    seeds = await mkdtemp(join(tmpdir(), 'seeds-'));
  });
  afterEach(() => rm(seeds, { recursive: true, force: true }));

  it('is installed by the trusted path as official, once per version [MARKET-24, MARKET-25]', async () => {
    await writePackage('1.0.0');
    let seeded = await start();
    try {
      const [plugin] = await seeded.client.call(api.plugins.list);
      expect(plugin).toMatchObject({ id, version: '1.0.0', source: 'OFFICIAL', enabled: true });
      await expect(invoke(seeded, id, 'echo', { a: 1 })).resolves.toEqual({ a: 1 });
      const restart = async (): Promise<string[]> => {
        await seeded.stop();
        seeded = await start(seeded.workDirectory);
        return (await seeded.client.call(api.market.list)).map(
          (one) => `${one.version} ${one.enabled}`,
        );
      };
      await seeded.client.call(api.market.setEnabled, { params: { id }, body: { enabled: false } });
      await writePackage('1.1.0');
      expect(await restart()).toEqual(['1.1.0 false']);
      await seeded.client.call(api.market.uninstall, {
        params: { id },
        query: { deleteData: 'true' },
      });
      expect(await restart()).toEqual([]);
      await writePackage('1.2.0');
      expect(await restart()).toEqual(['1.2.0 true']);
    } finally {
      await seeded.close();
    }
  });

  it('is not installed with the sidecar of another file, and the host starts nevertheless [MARKET-24]', async () => {
    await writePackage('1.0.0', `${hashOf(Buffer.from('x'))}  other\n`);
    const seeded = await start();
    expect(await seeded.client.call(api.market.list)).toEqual([]);
    await seeded.close();
  });

  it('reports once which sample was left out, and why', async () => {
    await writeFile(
      join(seeds, 'left-out.json'),
      JSON.stringify([{ id: 'host.words', reason: 'javac was not found.' }]),
    );
    const first = await start();
    await first.stop();
    const second = await start(first.workDirectory);
    const notifications = await second.client.call(api.notifications.list);
    expect(notifications).toEqual([
      expect.objectContaining({
        title: 'The sample plugin host.words was not installed',
        body: 'javac was not found.',
      }),
    ]);
    await second.close();
  });
});

/** Puts something below `directory` that cannot be deleted; returns a function that removes it. */
async function block(directory: string): Promise<() => Promise<unknown>> {
  const inside = join(directory, 'kept');
  await mkdir(inside);
  if (process.getuid?.() === 0) {
    await run('mount', ['-t', 'tmpfs', 'tmpfs', inside]);
    return async () => {
      // The data may have been moved together with the mount in it.
      const { stdout } = await run('sh', ['-c', "cut -d' ' -f2 /proc/mounts"]);
      const mounts = stdout.split('\n').filter((point) => point.startsWith(host.workDirectory));
      for (const point of mounts) await run('umount', [point]);
    };
  }
  const parent = dirname(directory);
  await chmod(parent, 0o500);
  return () => chmod(parent, 0o700);
}

it('data that cannot be deleted is an error, and the plugin stays and works [PLUGIN-36]', async () => {
  const id = 'acme.stuck';
  await installSample(host, { manifest: { id } });
  await invoke(host, id, 'echo');
  const dataFile = join(host.workDirectory, '.host', 'plugin-data', id, 'a-first.txt');
  await writeFile(dataFile, 'kept');
  const release = await block(join(host.workDirectory, '.host', 'plugin-data', id));
  try {
    await expect(
      host.client.call(api.market.uninstall, { params: { id }, query: { deleteData: 'true' } }),
    ).rejects.toEqual(problem('cannot_delete', 409));
    await expect(invoke(host, id, 'echo', { still: 'here' })).resolves.toEqual({ still: 'here' });
    expect(await readFile(dataFile, 'utf8')).toBe('kept');
  } finally {
    await release();
  }
  await host.client.call(api.market.uninstall, { params: { id }, query: { deleteData: 'true' } });
  expect(await installedIds()).not.toContain(id);
});
