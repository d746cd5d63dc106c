import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const mostArguments = 100;
const mostCharacters = 4_096;

/**
 * Returns the package files that a command line names. The command line may come from any program,
 * so everything else in it is ignored.
 */
export function packagesIn(args: readonly string[], directory: string): string[] {
  return args
    .slice(1, mostArguments)
    .filter((arg) => arg.length <= mostCharacters && isPackage(arg))
    .map(pathOf)
    .filter((path) => path !== null)
    .map((path) => (isAbsolute(path) ? path : resolve(directory, path)));
}

/**
 * Checks the name only, in any case, as some file systems ignore it. The inspection checks the
 * content.
 */
export const isPackage = (path: string): boolean =>
  path.toLowerCase().endsWith('.plugin') && !path.startsWith('-') && !path.includes('\0');

/** File managers pass files as paths or as file: URLs. */
function pathOf(arg: string): string | null {
  if (!arg.startsWith('file:')) return arg;
  try {
    const path = fileURLToPath(arg);
    return path.includes('\0') ? null : path;
  } catch {
    return null;
  }
}
