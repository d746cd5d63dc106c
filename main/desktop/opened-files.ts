import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const mostArguments = 100;
const mostCharacters = 4_096;

/**
 * The packages that a person opened with the app, out of a command line that may come from anywhere:
 * nothing else in it is looked at.
 */
export function packagesIn(args: readonly string[], directory: string): string[] {
  return args
    .slice(1, mostArguments)
    .filter((arg) => arg.length <= mostCharacters && isPackage(arg))
    .map(pathOf)
    .filter((path) => path !== null)
    .map((path) => (isAbsolute(path) ? path : resolve(directory, path)));
}

/** By its name, which systems that tell no capitals apart may give in any; what is in it is looked at by the inspection. */
export const isPackage = (path: string): boolean =>
  path.toLowerCase().endsWith('.plugin') && !path.startsWith('-') && !path.includes('\0');

/** File managers name files by their path or by their address. */
function pathOf(arg: string): string | null {
  if (!arg.startsWith('file:')) return arg;
  try {
    const path = fileURLToPath(arg);
    return path.includes('\0') ? null : path;
  } catch {
    return null;
  }
}
