import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** Extensions on Windows of programs that need no shell. */
const defaultExtensions = ['.exe'];

/**
 * Returns the absolute path of a program on the PATH; null if there is none. `endings` are the
 * extensions on Windows.
 */
export async function findProgram(
  name: string,
  path = process.env['PATH'] ?? '',
  extensions: readonly string[] = defaultExtensions,
): Promise<string | null> {
  // A relative entry would make the result depend on the current directory.
  for (const folder of path.split(delimiter).filter((entry) => isAbsolute(entry))) {
    const found = await programIn(folder, name, extensions);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Returns the absolute path of the program in that folder; null if it does not exist or cannot be
 * executed.
 */
export async function programIn(
  folder: string,
  name: string,
  extensions: readonly string[] = defaultExtensions,
): Promise<string | null> {
  for (const fileName of fileNames(name, extensions)) {
    const file = join(folder, fileName);
    if (await isProgram(file)) return file;
  }
  return null;
}

/** Possible file names of a program. */
export function fileNames(
  name: string,
  extensions: readonly string[],
  platform = process.platform,
): string[] {
  if (platform !== 'win32') return [name];
  const isWhole = extensions.some((extension) => name.toLowerCase().endsWith(extension));
  return isWhole ? [name] : extensions.map((extension) => `${name}${extension}`);
}

/**
 * Returns the extensions of programs that this host can start on Windows, in the order of PATHEXT.
 */
export function programExtensions(pathExt = process.env['PATHEXT'] ?? ''): string[] {
  const supported = ['.com', '.exe', '.bat', '.cmd'];
  const configured = pathExt
    .toLowerCase()
    .split(';')
    .map((extension) => extension.trim());
  const found = configured.filter((extension) => supported.includes(extension));
  return found.length === 0 ? supported : found;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
