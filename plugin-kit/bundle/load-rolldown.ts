import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Rolldown from 'rolldown';

/**
 * Loads the kit's bundler, which is native code for one system; on other systems the one that is
 * installed beside the plugin.
 * @throws Error that says what to install
 */
export async function loadRolldown(pluginDirectory: string): Promise<typeof Rolldown> {
  try {
    return await import('rolldown');
  } catch {
    return beside(pluginDirectory);
  }
}

async function beside(pluginDirectory: string): Promise<typeof Rolldown> {
  try {
    const found = createRequire(join(pluginDirectory, 'package.json')).resolve('rolldown');
    return (await import(pathToFileURL(found).href)) as typeof Rolldown;
  } catch (cause) {
    throw new Error(
      `This kit has no bundler for ${process.platform}-${process.arch}. Install one beside the plugin: npm install --save-dev rolldown`,
      { cause },
    );
  }
}
