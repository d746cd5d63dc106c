import { posix } from 'node:path';

/**
 * Whether a path may be the input of the program, or another file that is already open, whatever
 * folder the path starts from.
 */
export function isDevice(path: string): boolean {
  if (path === '-' || /^(?:stdin|tty|console|ptmx|\d+)$/.test(posix.basename(path))) return true;
  return /^\/+(?:dev|proc)\//.test(posix.normalize(path));
}
