import { spawnSync } from 'node:child_process';

const unshare = ['unshare', process.getuid?.() === 0 ? '-m' : '-Urm'];

/** True if this machine lets processes have their own mounts. */
export const canMount =
  process.env['CI'] === 'true' ||
  spawnSync(unshare[0]!, [...unshare.slice(1), 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status ===
    0;

/**
 * Returns a command prefix that mounts a small file system on `folder`, visible only to the process
 * and removed with it. Other processes can access it through `/proc/<pid>/root`.
 */
export function onTmpfs(folder: string, options: string): string[] {
  const script = 'mount -t tmpfs -o "$1" tmpfs "$0" && shift && exec "$@"';
  return [...unshare, 'sh', '-c', script, folder, options];
}
