import { readFile, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { findProgram, programIn } from './find-program.ts';

/**
 * Returns the absolute path of `java`: from JAVA_HOME, otherwise the first on the PATH; null if
 * there is none.
 */
export async function findJava(): Promise<string | null> {
  const home = process.env['JAVA_HOME'];
  const own =
    home !== undefined && isAbsolute(home) ? await programIn(join(home, 'bin'), 'java') : null;
  return own ?? findProgram('java');
}

/**
 * Returns the feature version, such as 17, from the `release` file of the runtime; null if it is
 * missing.
 */
export async function javaVersionOf(java: string): Promise<number | null> {
  try {
    const home = join(dirname(await realpath(java)), '..');
    const release = await readFile(join(home, 'release'), 'utf8');
    const version = /^JAVA_VERSION="(?:1\.)?(\d+)/m.exec(release)?.[1];
    return version === undefined ? null : Number(version);
  } catch {
    return null;
  }
}
