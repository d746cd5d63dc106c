import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pluginFolder } from '../../testing/plugin-folder.ts';
import type { Plugin } from '../plugins/index.ts';
import { contentsOf } from './contents-of.ts';
import { parseHooks } from './hooks/parse-hooks.ts';
import { trustHash } from './hooks/trust-hash.ts';
import { TrustedParts } from './trusted-parts.ts';

const files = {
  'hooks/hooks.json': [{ event: 'PreToolUse', command: 'sh ${PLUGIN_ROOT}/guard.sh' }],
  'guard.sh': '. ./lib/rules.sh\nnode node_modules/helper/index.js\n',
  'lib/rules.sh': 'exit 2\n',
  'node_modules/helper/index.js': 'process.exit(2);\n',
  'node_modules/other/unused.js': 'other();\n',
  'README.md': 'Words.\n',
};

async function read(plugin: Plugin) {
  const contents = await contentsOf(plugin);
  const documents = contents.hookDocuments;
  const hooks = documents.flatMap(({ from, document }) => parseHooks(document, 'a', from).hooks);
  return { hooks, contents };
}

/** A trusted plugin, and the number of times it was read. */
async function trustedPlugin() {
  const directory = await pluginFolder(files);
  const plugin = { id: 'acme.demo', enabled: true, origin: null, directory } as Plugin;
  const { hooks, contents } = await read(plugin);
  const hash = await trustHash(directory, { hooks, mcpServers: contents.mcpServers });
  const hashes = new Map([[plugin.id, hash]]);
  const plugins = [plugin];
  let reads = 0;
  const trusted = new TrustedParts({
    plugins: () => plugins,
    hashes: () => Promise.resolve(hashes),
    read: (one) => {
      reads += 1;
      return read(one);
    },
  });
  const names = async (): Promise<string[]> =>
    (await trusted.now()).flatMap((found) => found.hooks.map(({ name }) => name));
  const readsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = reads;
    await work();
    return reads - before;
  };
  const settled = (): Promise<void> =>
    expect.poll(() => readsOf(names), { timeout: 20_000, interval: 500 }).toBe(0);
  const path = (name: string): string => join(directory, name);
  return { plugin, plugins, hashes, trusted, names, readsOf, settled, path };
}

const old = new Date(2020, 1, 1);

/** Overwrites a file, keeping its size and times. */
async function overwrite(file: string, content: string): Promise<void> {
  await writeFile(file, content, { flag: 'r+' });
  await utimes(file, old, old);
}

describe('the hooks that may run', () => {
  it('are read again only after a change, and every edit is noticed', async () => {
    const { names, readsOf, settled, path } = await trustedPlugin();
    expect(await names()).toHaveLength(1);
    await settled();
    expect(await names()).toHaveLength(1);

    await overwrite(path('lib/rules.sh'), 'exit 0\n');
    expect(await names()).toEqual([]);
    await overwrite(path('lib/rules.sh'), 'exit 2\n');
    expect(await names()).toHaveLength(1);

    await settled();
    await overwrite(path('node_modules/helper/index.js'), 'process.exit(0);\n');
    expect(await names()).toEqual([]);
    await overwrite(path('node_modules/helper/index.js'), 'process.exit(2);\n');
    await settled();
    await rename(path('lib'), path('lib2'));
    await mkdir(path('lib'));
    await writeFile(path('lib/rules.sh'), 'exit 0\n');
    expect(await names()).toEqual([]);
    await rm(path('lib'), { recursive: true });
    await rename(path('lib2'), path('lib'));
    expect(await names()).toHaveLength(1);

    await settled();
    await overwrite(path('node_modules/other/unused.js'), 'changed;\n');
    expect(await readsOf(names)).toBe(0);
    await writeFile(path('hooks.json'), '[{"event":"PreToolUse","command":"exit 0"}]');
    expect(await names()).toEqual([]);
  }, 60_000);

  it('are those of the copy that is installed, enabled and trusted now', async () => {
    const { plugin, plugins, hashes, trusted, names } = await trustedPlugin();
    const hash = hashes.get(plugin.id) ?? '';
    expect(await trusted.isTrusted(plugin)).toBe(true);
    plugin.enabled = false;
    expect(await trusted.isTrusted(plugin)).toBe(false);
    expect(await names()).toEqual([]);
    plugin.enabled = true;
    hashes.delete(plugin.id);
    expect(await trusted.isTrusted(plugin)).toBe(false);
    expect(await names()).toEqual([]);
    hashes.set(plugin.id, 'ab'.repeat(32));
    expect(await trusted.isTrusted(plugin)).toBe(false);
    expect(await names()).toEqual([]);
    hashes.set(plugin.id, hash);
    expect(await names()).toHaveLength(1);
    plugins.pop();
    expect(await trusted.isTrusted(plugin)).toBe(false);
    expect(await names()).toEqual([]);
  });

  it('are empty for a plugin whose folder is gone', async () => {
    const { plugin, trusted, names, path } = await trustedPlugin();
    await rm(path(''), { recursive: true });
    expect(await names()).toEqual([]);
    expect(await trusted.isTrusted(plugin)).toBe(false);
  });
});
