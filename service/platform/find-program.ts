import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** What a program that needs no shell ends with on Windows. */
const usualEndings = ['.exe'];

/**
 * The absolute path of a program on the PATH; null when there is none. `endings` are those that count
 * on Windows.
 */
export async function findProgram(
  name: string,
  path = process.env['PATH'] ?? '',
  suffixes: readonly string[] = usualEndings,
): Promise<string | null> {
  // A relative entry would make the answer depend on the current directory.
  for (const folder of path.split(delimiter).filter((entry) => isAbsolute(entry))) {
    const found = await programIn(folder, name, suffixes);
    if (found !== null) return found;
  }
  return null;
}

/** The absolute path of the program in that folder; null when it is not there or may not be run. */
export async function programIn(
  folder: string,
  name: string,
  suffixes: readonly string[] = usualEndings,
): Promise<string | null> {
  for (const fileName of fileNames(name, suffixes)) {
    const file = join(folder, fileName);
    if (await isProgram(file)) return file;
  }
  return null;
}

/** What the file of a program may be called. */
export function fileNames(
  name: string,
  suffixes: readonly string[],
  platform = process.platform,
): string[] {
  if (platform !== 'win32') return [name];
  const isWhole = suffixes.some((extension) => name.toLowerCase().endsWith(extension));
  return isWhole ? [name] : suffixes.map((extension) => `${name}${extension}`);
}

/** What programs end with on Windows, of what this host can start; in the order of PATHEXT. */
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
