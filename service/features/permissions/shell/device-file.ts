import { posix } from 'node:path';

/**
 * Returns true if a path may be the input of the program or another open file, whatever folder the
 * path is relative to.
 */
export function isDevice(path: string): boolean {
  if (path === '-' || /^(?:stdin|tty|console|ptmx|\d+)$/.test(posix.basename(path))) return true;
  return /^\/+(?:dev|proc)\//.test(posix.normalize(path));
}
