import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesBelow } from '../plugin-kit/files-below.ts';
import { writeZip } from '../plugin-kit/zip.ts';

const limitMs = 120_000;

/**
 * Builds the documentation of the Java libraries for plugin authors as a jar that editors accept.
 * @returns false if this machine has no JDK
 */
export async function buildJavadocJar(
  folders: readonly string[],
  output: string,
): Promise<boolean> {
  const home = process.env['JAVA_HOME'];
  const beside = home === undefined || home === '' ? '' : join(home, 'bin', 'javadoc');
  const program = existsSync(beside) ? beside : 'javadoc';
  const pages = mkdtempSync(join(tmpdir(), 'plugin-javadoc-'));
  try {
    const sources = folders.flatMap((folder) => globSync(`${folder}/**/*.java`).sort());
    const options = ['-quiet', '-notimestamp', '-Xdoclint:none', '-encoding', 'UTF-8'];
    const made = spawnSync(program, [...options, '-d', pages, ...sources], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: limitMs,
    });
    if (made.error && 'code' in made.error && made.error.code === 'ENOENT') return false;
    if (made.status !== 0) throw new Error(`javadoc failed\n${String(made.stderr)}`);
    const files = await filesBelow(pages);
    await writeZip(
      output,
      files.map((path) => ({ path, file: join(pages, path) })),
    );
    return true;
  } finally {
    rmSync(pages, { recursive: true, force: true });
  }
}
