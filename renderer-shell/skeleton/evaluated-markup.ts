import { join } from 'node:path';
import { normalizePath, type Plugin, runnerImport } from 'vite';
import { messageGroups } from '../message-groups.ts';
import type { Skeletons } from './markup.tsx';

/**
 * Writes the result of the skeleton's module into the page at build time, in place of the module.
 */
export function evaluatedMarkup(): Plugin {
  const file = normalizePath(join(import.meta.dirname, 'markup.tsx'));
  return {
    name: 'evaluated-markup',
    apply: 'build',
    async load(id) {
      if (id !== file) return null;
      const { module, dependencies } = await runnerImport<Skeletons>(file, {
        configFile: false,
        plugins: [messageGroups()],
      });
      for (const each of dependencies) this.addWatchFile(each);
      const { styles, frames } = module;
      return `export const { styles, frames } = ${JSON.stringify({ styles, frames })};`;
    },
  };
}
