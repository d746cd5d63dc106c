import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { filesBelow } from './files-below.ts';
import { compileJava, findJavac, type Environment } from './javac.ts';
import { writeZip, type ZipEntry } from './zip.ts';

/** Input of `buildWorkerJar`. */
export interface WorkerJarInput {
  /** Directory with the plugin's Java sources; its class `Main`, in any package, is the entry. */
  sources: string;
  /** Directory with the kit's Java sources. */
  library: string;
  /** Libraries that are in `lib` beside the jar at run time. */
  jars: readonly string[];
  /** The jar to write. */
  output: string;
  environment: Environment;
}

/**
 * Compiles a worker with the kit's library into one runnable jar. Other files beside the sources
 * are copied into the jar.
 * @throws MissingJavac if there is no Java compiler
 * @throws Error if the sources are invalid
 */
export async function buildWorkerJar(input: WorkerJarInput): Promise<void> {
  const { sources, library, jars, output, environment } = input;
  const files = await filesBelow(sources);
  const main = mainClass(files);
  const javac = await findJavac(environment);
  const classes = await mkdtemp(join(tmpdir(), 'plugin-classes-'));
  try {
    const javaFiles = [
      ...(await filesBelow(library)).map((path) => join(library, path)),
      ...files.map((path) => join(sources, path)),
    ].filter((path) => path.endsWith('.java'));
    await compileJava(javac, { sources: javaFiles, jars, classes, environment });
    const compiled = (await filesBelow(classes)).map((path) => entry(classes, path));
    const resources = files.filter((path) => !path.endsWith('.java'));
    await writeZip(output, [
      { path: 'META-INF/MANIFEST.MF', bytes: jarManifest(main, jars) },
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

/** Formats the jar manifest. Lines have at most 72 bytes; a longer one continues after a space. */
function jarManifest(main: string, jars: readonly string[]): Buffer {
  const path = jars.map((jar) => `lib/${encodeURIComponent(basename(jar))}`).join(' ');
  const lines = [
    'Manifest-Version: 1.0',
    `Main-Class: ${main}`,
    ...(path === '' ? [] : [`Class-Path: ${path}`]),
  ];
  const folded = lines.flatMap((line) => line.match(/.{1,70}/g)?.join('\r\n ') ?? []);
  return Buffer.from(`${folded.join('\r\n')}\r\n\r\n`);
}

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
