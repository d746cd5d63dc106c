import { join } from 'node:path';
import { normalizePath, type Plugin, runnerImport } from 'vite';
import type { Skeletons } from './markup.tsx';

/** Writes into the page what the module of the first frame makes, in place of what makes it. */
export function evaluatedMarkup(): Plugin {
  const file = normalizePath(join(import.meta.dirname, 'markup.tsx'));
  return {
    name: 'evaluated-markup',
    apply: 'build',
    async load(id) {
      if (id !== file) return null;
      const { module, dependencies } = await runnerImport<Skeletons>(file, { configFile: false });
      for (const each of dependencies) this.addWatchFile(each);
      const { styles, frames } = module;
      return `export const { styles, frames } = ${JSON.stringify({ styles, frames })};`;
    },
  };
}
