import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const built = ['main', 'preload', 'plugin-client', 'plugins', 'renderer-shell', 'shell-grammars'];

/** Lays out the built host as in a package of this kind. Resolves with its entry. */
export async function packagedHost(
  folder: string,
  packagedAs: string,
  updates: { releases: string | null; key: string | null } = { releases: null, key: null },
): Promise<string> {
  await mkdir(join(folder, 'dist'), { recursive: true });
  for (const name of [...built, '32x32.png'])
    await cp(join(root, 'dist', name), join(folder, 'dist', name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const manifest = { type: 'module', packagedAs, updates, main: 'dist/main/index.mjs' };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  return join(folder, 'dist', 'main', 'index.mjs');
}
