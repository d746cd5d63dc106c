import { readFile, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { findProgram, programIn } from './find-program.ts';

/** The absolute path of `java`: that of JAVA_HOME, else the first on the PATH; null when there is none. */
export async function findJava(): Promise<string | null> {
  const home = process.env['JAVA_HOME'];
  const own =
    home !== undefined && isAbsolute(home) ? await programIn(join(home, 'bin'), 'java') : null;
  return own ?? findProgram('java');
}

/** The feature version, such as 17, as the file `release` of the runtime tells; null where it does not. */
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
