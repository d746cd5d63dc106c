import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesBelow } from './files-below.ts';
import { compileJava, findJavac, type Environment } from './javac.ts';
import { writeZip, type ZipEntry } from './zip.ts';

export interface WorkerJarInput {
  /** Directory with the plugin's Java sources; its class `Main`, in whatever package, is started. */
  sources: string;
  /** Directory with the kit's Java sources. */
  library: string;
  /** The jar to write. */
  output: string;
  environment: Environment;
}

/**
 * Compiles a worker together with the kit's library into one runnable jar. Files beside the sources
 * that are no Java go into the jar as they are.
 * @throws MissingJavac, or an Error that says what is wrong with the sources
 */
export async function buildWorkerJar(input: WorkerJarInput): Promise<void> {
  const { sources, library, output, environment } = input;
  const files = await filesBelow(sources);
  const main = mainClass(files);
  const javac = await findJavac(environment);
  const classes = await mkdtemp(join(tmpdir(), 'plugin-classes-'));
  try {
    const javaFiles = [
      ...(await filesBelow(library)).map((path) => join(library, path)),
      ...files.map((path) => join(sources, path)),
    ].filter((path) => path.endsWith('.java'));
    await compileJava(javac, javaFiles, classes, environment);
    const compiled = (await filesBelow(classes)).map((path) => entry(classes, path));
    const resources = files.filter((path) => !path.endsWith('.java'));
    const manifest = `Manifest-Version: 1.0\r\nMain-Class: ${main}\r\n\r\n`;
    await writeZip(output, [
      { path: 'META-INF/MANIFEST.MF', bytes: Buffer.from(manifest) },
      ...compiled,
      ...resources.map((path) => entry(sources, path)),
    ]);
  } finally {
    await rm(classes, { recursive: true, force: true });
  }
}

const entry = (directory: string, path: string): ZipEntry => ({
  path,
  file: join(directory, path),
});

function mainClass(files: readonly string[]): string {
  const found = files.filter((path) => path === 'Main.java' || path.endsWith('/Main.java'));
  const [main] = found;
  if (main === undefined || found.length > 1) {
    throw new Error(
      `backend/src has ${String(found.length)} classes named Main. The worker starts with the one class of that name.`,
    );
  }
  return main.slice(0, -'.java'.length).replaceAll('/', '.');
}
