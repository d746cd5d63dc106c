import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

const folder = 'dist/.packages';

/** Records the npm packages whose modules a bundle contains, for `bundledPackages`. */
export function recordPackages(name: string): Plugin {
  return {
    name: 'record-packages',
    writeBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap((part) =>
        part.type === 'chunk' ? part.moduleIds : [],
      );
      const root = join(import.meta.dirname, '..', '..', folder);
      mkdirSync(root, { recursive: true });
      const packages = [...new Set(ids.flatMap(packageFolder))].sort();
      writeFileSync(join(root, `${name}.json`), JSON.stringify(packages));
    },
  };
}

/** Returns the folders of the packages in the bundles. Needs a built `dist/`. */
export function bundledPackages(): string[] {
  const records = globSync(`${folder}/*.json`).sort();
  const all = records.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as string[]);
  return [...new Set(all)].sort();
}

/**
 * Returns the package folder of a module: `a/node_modules/@b/c` for
 * `…/node_modules/a/node_modules/@b/c/lib/x.js`.
 */
function packageFolder(id: string): string[] {
  const found = /(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+/.exec(id.replaceAll('\\', '/'));
  return id.startsWith('\0') || !found ? [] : [found[0].slice(0, -1)];
}
