import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** A tree of the operating system that programs need to run. */
export interface SystemTree {
  path: string;
  /** Where it is a link: to where. */
  link: string | null;
}

const roots = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
const plain = [
  ...['/usr', '/nix/store', '/gnu/store', '/etc/alternatives', '/etc/ld.so.cache'],
  ...['/etc/localtime', '/etc/fonts'],
];

/** What of this Linux a boxed process may read. Nothing of it belongs to a person. */
export async function findSystemTrees(): Promise<SystemTree[]> {
  const linked = await Promise.all(
    roots.map(async (path) => ({ path, link: await readlink(path).catch(() => null) })),
  );
  // Debian keeps the settings of Java there.
  const names = await readdir('/etc').catch(() => []);
  const java = names.filter((name) => /^java(-[\w.-]+)?$/.test(name)).map((n) => join('/etc', n));
  return [...[...plain, ...java].map((path) => ({ path, link: null })), ...linked];
}
