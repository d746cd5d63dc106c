import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { filesBelow } from './files-below.ts';
import { compileJava, findJavac } from './javac.ts';
import { kitRoot } from './kit-root.ts';

const runner = 'host.testing.RunTests';
const advice =
  'Put junit-platform-console-standalone-<version>.jar from Maven Central into test/lib, and test again.';

/**
 * Compiles a plugin's worker and its `tests` (paths in `directory`), and runs them with the JUnit
 * in `test/lib`.
 * @returns the exit code
 * @throws Error if JUnit is missing, MissingJavac, or JavaError
 */
export async function runJUnit(directory: string, tests: readonly string[]): Promise<number> {
  const junit = await jarsIn(join(directory, 'test', 'lib'));
  if (junit.length === 0) throw new Error(`The tests in ${directory} need JUnit. ${advice}`);
  const jars = [...junit, ...(await jarsIn(join(directory, 'lib')))];
  const environment = process.env;
  const javac = await findJavac(environment);
  const work = await mkdtemp(join(tmpdir(), 'plugin-junit-'));
  const [classes, testClasses] = [join(work, 'classes'), join(work, 'tests')];
  try {
    const library = await sourcesIn(join(kitRoot, 'java'), join(kitRoot, 'java-testing'));
    const worker = await sourcesIn(join(directory, 'backend', 'src'));
    await compileJava(javac, { sources: [...library, ...worker], jars, classes, environment });
    const sources = tests.map((path) => join(directory, path));
    const classPath = [classes, ...jars];
    await compileJava(javac, { sources, jars: classPath, classes: testClasses, environment });
    return await run(directory, [testClasses, ...classPath], testClasses);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function jarsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter((name) => name.endsWith('.jar'))
    .sort()
    .map((name) => resolve(folder, name));
}

async function sourcesIn(...folders: string[]): Promise<string[]> {
  const found = folders.map(async (folder) => {
    const files = await filesBelow(folder).catch((): string[] => []);
    return files.filter((path) => path.endsWith('.java')).map((path) => join(folder, path));
  });
  return (await Promise.all(found)).flat();
}

/** Passes on the kit's command, because the tests start the kit again. */
function run(directory: string, path: readonly string[], classes: string): Promise<number> {
  const args = [
    `-Dplugin.kit.node=${process.execPath}`,
    `-Dplugin.kit.program=${process.argv[1] ?? ''}`,
    '-classpath',
    path.join(delimiter),
    runner,
    classes,
  ];
  const home = process.env['JAVA_HOME'];
  const java = home === undefined || home === '' ? 'java' : join(home, 'bin', 'java');
  const child = spawn(java, args, { cwd: directory, stdio: 'inherit' });
  return new Promise((done, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => done(code ?? 1));
  });
}
