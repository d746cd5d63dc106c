import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** A tree of the operating system that programs need to run. */
export interface SystemTree {
  path: string;
  /** Target, for a link. */
  link: string | null;
}

const roots = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
const plain = [
  ...['/usr', '/nix/store', '/gnu/store', '/etc/alternatives', '/etc/ld.so.cache'],
  ...['/etc/localtime', '/etc/fonts'],
];

/**
 * Returns the folders of this Linux that a sandboxed process can read. They contain no user data.
 */
export async function findSystemTrees(): Promise<SystemTree[]> {
  const linked = await Promise.all(
    roots.map(async (path) => ({ path, link: await readlink(path).catch(() => null) })),
  );
  // Debian stores the settings of Java there.
  const names = await readdir('/etc').catch(() => []);
  const java = names.filter((name) => /^java(-[\w.-]+)?$/.test(name)).map((n) => join('/etc', n));
  return [...[...plain, ...java].map((path) => ({ path, link: null })), ...linked];
}
