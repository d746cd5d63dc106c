/** Command line: `node plugin-kit/pack-all.ts [--plugins <dir>] [--output <dir>]`. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPlugins } from './pack.ts';

const kitDirectory = import.meta.dirname;
const root = join(kitDirectory, '..');
const usage = 'Usage: node plugin-kit/pack-all.ts [--plugins <directory>] [--output <directory>]';

async function packAll(): Promise<void> {
  const { values } = parseArgs({
    options: { plugins: { type: 'string' }, output: { type: 'string' } },
  });
  const { built, skipped } = await buildPlugins({
    pluginsDirectory: resolve(values.plugins ?? join(root, 'plugins')),
    kitDirectory,
    outputDirectory: resolve(values.output ?? join(root, 'dist/plugins')),
  });
  for (const plugin of built) {
    console.log(`${plugin.rebuilt ? 'built  ' : 'current'} ${plugin.file}`);
  }
  for (const plugin of skipped) console.error(`left out ${plugin.id}: ${plugin.reason}`);
}

packAll().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof TypeError) console.error(usage);
  process.exitCode = 1;
});
