import { spawnSync } from 'node:child_process';

const unshare = ['unshare', process.getuid?.() === 0 ? '-m' : '-Urm'];

/** Whether this machine lets a process have mounts of its own. */
export const canMount =
  process.env['CI'] === 'true' ||
  spawnSync(unshare[0]!, [...unshare.slice(1), 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status ===
    0;

/**
 * In front of a command line: `folder` becomes a small file system of its own that only the process
 * sees and that is gone with it. From outside it is reached by `/proc/<pid>/root`.
 */
export function onTmpfs(folder: string, options: string): string[] {
  const script = 'mount -t tmpfs -o "$1" tmpfs "$0" && shift && exec "$@"';
  return [...unshare, 'sh', '-c', script, folder, options];
}
