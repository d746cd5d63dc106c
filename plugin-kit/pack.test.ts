import { createHash } from 'node:crypto';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildPlugins, packPlugin } from './pack.ts';
import { kit } from './testing/packed-plugin.ts';
import { unpack } from './testing/unpack.ts';
import { startWorker } from './testing/worker-process.ts';

const echo = join(kit, 'testing/fixtures/echo-node');
let work: string;
let source: string;

beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'pack-test-'));
  source = join(work, 'source');
  await cp(echo, source, { recursive: true });
});
afterEach(() => rm(work, { recursive: true, force: true }));

const pack = (name = 'a.plugin') => packPlugin({ source, output: join(work, name), kit });

async function changeManifest(change: object): Promise<void> {
  const file = join(source, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...manifest, ...change }));
}

describe('packing a plugin', () => {
  test('the package contains the plugin and the kit, sorted, with fixed times and modes', async () => {
    const packed = await pack();
    expect(packed).toMatchObject({ id: 'com.example.echo-node', version: '1.2.3' });
    const entries = await unpack(packed.file, join(work, 'out'));
    const names = entries.map((entry) => entry.fileName);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual([
      'backend/plugin-kit/open-call.mjs',
      'backend/plugin-kit/rpc-error.mjs',
      'backend/plugin-kit/wire.mjs',
      'backend/plugin-kit/worker.mjs',
      'backend/worker.mjs',
      'manifest.json',
      'ui/index.html',
      'ui/plugin-kit/page.css',
      'ui/plugin-kit/page.js',
    ]);
    expect(new Set(entries.map((entry) => entry.externalFileAttributes >>> 16))).toEqual(
      new Set([0o100644]),
    );
    expect(new Set(entries.map((entry) => entry.lastModFileDate)).size).toBe(1);
    const manifest = await readFile(join(work, 'out/manifest.json'));
    expect(manifest).toEqual(await readFile(join(source, 'manifest.json')));
  });

  test('executable files stay executable, and the dotted files that the host reads are packed', async () => {
    await mkdir(join(source, '.claude-plugin'));
    await mkdir(join(source, 'hooks'));
    await writeFile(join(source, '.claude-plugin/plugin.json'), '{"name":"echo"}');
    await writeFile(join(source, '.mcp.json'), '{"mcpServers":{}}');
    await writeFile(join(source, '.env'), 'SECRET=1');
    await writeFile(join(source, 'hooks/guard.sh'), '#!/bin/sh', { mode: 0o755 });
    const entries = await unpack((await pack()).file, join(work, 'out'));
    const modes = new Map(
      entries.map((entry) => [entry.fileName, entry.externalFileAttributes >>> 16]),
    );
    expect(modes.get('hooks/guard.sh')).toBe(0o100755);
    expect(modes.get('.mcp.json')).toBe(0o100644);
    expect(modes.has('.claude-plugin/plugin.json')).toBe(true);
    expect(modes.has('.env')).toBe(false);
  });

  test('the same sources give the same bytes, whenever and wherever they are packed', async () => {
    const first = await pack('a.plugin');
    const elsewhere = join(work, 'elsewhere');
    await cp(source, elsewhere, { recursive: true });
    await utimes(join(elsewhere, 'manifest.json'), new Date(0), new Date(0));
    const output = join(work, 'b.plugin');
    const second = await packPlugin({ source: elsewhere, output, kit });
    expect(second.sha256).toBe(first.sha256);
    expect(await readFile(second.file)).toEqual(await readFile(first.file));
  });

  test('the sidecar names the hash and the file', async () => {
    const { file, sha256 } = await pack('sample.plugin');
    expect(
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ).toBe(sha256);
    expect(await readFile(`${file}.sha256`, 'utf8')).toBe(`${sha256}  sample.plugin\n`);
  });

  test('hidden files, modules and tests stay out', async () => {
    await writeFile(join(source, '.DS_Store'), '');
    await writeFile(join(source, 'backend/worker.test.mjs'), '');
    await cp(echo, join(source, 'node_modules/echo'), { recursive: true });
    const before = await pack();
    const entries = await unpack(before.file, join(work, 'out'));
    expect(entries).toHaveLength(9);
  });

  test('a worker that imports packages of npm becomes one module with them', async () => {
    const library = join(source, 'node_modules/halves');
    await mkdir(library, { recursive: true });
    await writeFile(
      join(library, 'package.json'),
      '{"name":"halves","version":"1.2.0","license":"MIT","main":"index.js"}',
    );
    await writeFile(join(library, 'LICENSE'), 'Do what you like with halves.\r\n');
    await writeFile(
      join(library, 'index.js'),
      "module.exports.half = (n) => n / 2; module.exports.sep = require('path').sep;",
    );
    await writeFile(join(source, 'backend/used.mjs'), "export { half } from 'halves';");
    await writeFile(
      join(source, 'backend/worker.mjs'),
      `import { createWorker } from './plugin-kit/worker.mjs';
       import { half } from './used.mjs';
       createWorker().method('half', ({ n }) => half(n)).run();`,
    );
    const packed = await pack();
    expect((await pack('b.plugin')).sha256).toBe(packed.sha256);
    const names = (await unpack(packed.file, join(work, 'out'))).map(({ fileName }) => fileName);
    expect(names).not.toContain('backend/used.mjs');
    expect(names.filter((name) => name.includes('node_modules'))).toEqual([]);
    const notices = await readFile(join(work, 'out/THIRD-PARTY-NOTICES'), 'utf8');
    expect(notices).toMatch(/^halves 1\.2\.0 \(MIT\)\n\nDo what you like with halves\.$/m);
    const worker = startWorker(join(work, 'out'), 'node');
    expect(await worker.result('half', { n: 8 })).toBe(4);
    expect(await worker.end()).toBe(0);
  });

  test('licenses of packages that the author has collected are packed as they are', async () => {
    const library = join(source, 'node_modules/halves');
    await mkdir(library, { recursive: true });
    await writeFile(join(library, 'package.json'), '{"name":"halves","main":"index.js"}');
    await writeFile(join(library, 'index.js'), 'module.exports.half = (n) => n / 2;');
    await writeFile(
      join(source, 'backend/worker.mjs'),
      `import { half } from 'halves'; console.log(half);`,
    );
    await writeFile(join(source, 'THIRD-PARTY-NOTICES'), 'Gathered.');
    await unpack((await pack()).file, join(work, 'out'));
    expect(await readFile(join(work, 'out/THIRD-PARTY-NOTICES'), 'utf8')).toBe('Gathered.');
  });

  test('a plugin with packages of npm is built again when others are installed', async () => {
    await mkdir(join(source, 'node_modules/halves'), { recursive: true });
    await writeFile(join(source, 'node_modules/halves/package.json'), '{"main":"index.js"}');
    await writeFile(join(source, 'node_modules/halves/index.js'), 'module.exports = 1;');
    await writeFile(
      join(source, 'backend/worker.mjs'),
      `import half from 'halves'; console.log(half);`,
    );
    const input = { pluginsDirectory: work, kitDirectory: kit, outputDirectory: join(work, 'out') };
    const rebuilt = async (): Promise<boolean[]> =>
      (await buildPlugins(input)).built.map((plugin) => plugin.rebuilt);
    await writeFile(join(work, 'package-lock.json'), '{"halves":1}');
    expect([await rebuilt(), await rebuilt()]).toEqual([[true], [false]]);
    await writeFile(join(work, 'package-lock.json'), '{"halves":2}');
    expect(await rebuilt()).toEqual([true]);
  });

  test('TypeScript of worker and page is packed as JavaScript, without types and tests', async () => {
    await rm(join(source, 'backend/worker.mjs'));
    await writeFile(
      join(source, 'backend/worker.ts'),
      `import { createWorker } from './plugin-kit/worker.mjs';
       const one: number = 1;
       createWorker().method('echo', () => one).run();`,
    );
    await mkdir(join(source, 'backend/plugin-kit'));
    await writeFile(join(source, 'backend/plugin-kit/worker.d.mts'), 'export {};');
    await writeFile(join(source, 'ui/index.html'), '<script type="module" src="main.js"></script>');
    await writeFile(join(source, 'ui/main.ts'), 'export const two: number = 2;');
    await mkdir(join(source, 'test'));
    for (const file of ['test/helper.mjs', 'tsconfig.json', 'package.json', 'ui/old.plugin'])
      await writeFile(join(source, file), '{}');
    const entries = await unpack((await pack()).file, join(work, 'out'));
    const names = entries.map(({ fileName }) => fileName);
    expect(names.filter((name) => !name.includes('plugin-kit/'))).toEqual([
      'backend/worker.mjs',
      'manifest.json',
      'ui/index.html',
      'ui/main.js',
    ]);
    expect(await readFile(join(work, 'out/ui/main.js'), 'utf8')).toContain('two = 2');
    const worker = startWorker(join(work, 'out'), 'node');
    expect(await worker.result('echo')).toBe(1);
    expect(await worker.end()).toBe(0);
  });

  test('an import that does not resolve is reported with its position', async () => {
    await writeFile(join(source, 'backend/worker.mjs'), "\nimport 'nowhere-to-be-found';");
    await expect(pack()).rejects.toThrow(
      /backend\/worker\.mjs:2 imports 'nowhere-to-be-found', which is not there/,
    );
    expect(await readdir(work)).toEqual(['source']);
  });

  test('a link in the sources is refused', async () => {
    await symlink('/etc/hosts', join(source, 'ui/hosts'));
    await expect(pack()).rejects.toThrow('ui/hosts is no plain file');
  });

  test('a manifest that the host would refuse is not packed', async () => {
    await changeManifest({ id: 'Echo', permissions: ['everything'] });
    await expect(pack()).rejects.toThrow(/id: must be lower case[^]*permissions\.0/);
    expect(await readdir(work)).toEqual(['source']);
  });

  test('a package that the host would refuse is deleted, and one for a newer host is kept', async () => {
    await changeManifest({ methods: { greet: { params: { type: 'nothing' } } } });
    await expect(pack()).rejects.toThrow('methods.greet.params is not a JSON Schema');
    expect(await readdir(work)).toEqual(['source']);
    await changeManifest({ methods: {}, minHostVersion: '999.0.0' });
    expect(await pack()).toMatchObject({ id: 'com.example.echo-node' });
  });

  test('files that the manifest names must exist', async () => {
    await changeManifest({
      ui: { entry: 'ui/start.html' },
      worker: { runtime: 'node', entry: 'backend/start.mjs' },
      aiTools: [{ name: 'echo', description: '', method: 'ecco' }],
      flowNodes: [{ type: 'echo', tool: 'echoes', label: 'Echo', inputs: [], outputs: [] }],
    });
    const message = await pack().catch((error: unknown) => String(error));
    expect(message).toContain('ui/start.html is missing');
    expect(message).toContain('backend/start.mjs is missing');
    expect(message).toContain("unknown method 'ecco'");
    expect(message).toContain("unknown tool 'echoes'");
  });

  test('a worker must exist even for a plugin without methods, as the host requires', async () => {
    await rm(join(source, 'backend'), { recursive: true });
    await changeManifest({ methods: {} });
    await expect(pack()).rejects.toThrow('backend/worker.mjs is missing.');
    await changeManifest({ methods: {}, worker: undefined });
    await expect(pack()).rejects.toThrow('backend/worker.jar is missing.');
  });
});
