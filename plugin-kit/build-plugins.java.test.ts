import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildPlugins, MissingJavac, packPlugin, type BuildResult } from './pack.ts';
import { compileJava, findJavac } from './javac.ts';
import { kit } from './testing/packed-plugin.ts';
import { unpack } from './testing/unpack.ts';
import { startWorker } from './testing/worker-process.ts';
import { writeZip } from './zip.ts';
import { useFolder } from '../service/testing/use-for-file.ts';

const fixtures = join(kit, 'testing/fixtures');
const nodePackage = 'com.example.echo-node-1.2.3.plugin';
const javaPackage = 'com.example.echo-java-1.2.3.plugin';
const filesOf = (name: string): string[] => [name, `${name}.inputs`, `${name}.sha256`];

/** Result of one shared build of the fixtures, since each build takes the compiler seconds. */
let first: BuildResult;

const firstOutput = await useFolder('built-plugins-');

beforeAll(async () => {
  const input = { pluginsDirectory: fixtures, kitDirectory: kit, outputDirectory: firstOutput };
  first = await buildPlugins(input);
});

let work: string;
let pluginsDirectory: string;
let outputDirectory: string;

beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'build-plugins-'));
  pluginsDirectory = join(work, 'plugins');
  outputDirectory = join(work, 'out');
  await cp(fixtures, pluginsDirectory, { recursive: true });
});
afterEach(() => rm(work, { recursive: true, force: true }));

const build = (environment?: Record<string, string | undefined>) =>
  buildPlugins({ pluginsDirectory, kitDirectory: kit, outputDirectory, environment });

const rebuilt = async (): Promise<Record<string, boolean>> =>
  Object.fromEntries((await build()).built.map((plugin) => [plugin.id, plugin.rebuilt]));

/** Restores the state after a first build. */
const takeFirstBuild = () => cp(firstOutput, outputDirectory, { recursive: true });

/** Returns an environment without a JDK. */
async function withoutJdk(): Promise<Record<string, string>> {
  const empty = join(work, 'empty');
  await mkdir(empty, { recursive: true });
  return { PATH: empty };
}

test('a Java worker uses the libraries in lib, which the package has beside its jar', async () => {
  const source = join(work, 'with-library');
  const [classes, main] = [join(work, 'classes'), join(source, 'backend/src/Main.java')];
  for (const folder of [
    join(source, 'lib'),
    join(source, 'backend/src'),
    join(source, 'ui'),
    classes,
  ])
    await mkdir(folder, { recursive: true });
  await writeFile(
    join(work, 'Half.java'),
    'package h; public class Half { public static int of(int n) { return n / 2; } }',
  );
  const javac = await findJavac(process.env);
  await compileJava(javac, {
    sources: [join(work, 'Half.java')],
    classes,
    environment: process.env,
  });
  const library = join(
    source,
    'lib/half-of-a-number-with-a-name-that-is-longer-than-a-line-of-a-manifest.jar',
  );
  await writeZip(library, [{ path: 'h/Half.class', file: join(classes, 'h/Half.class') }]);
  await writeFile(join(source, 'ui/index.html'), '<p></p>');
  const manifest = {
    id: 'com.example.half',
    name: 'Half',
    version: '1.0.0',
    methods: { half: {} },
  };
  await writeFile(join(source, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(
    main,
    'import host.worker.Worker; public class Main { public static void main(String[] a) { new Worker().method("half", call -> h.Half.of(call.integer("n", 0, 0, 100))).run(); } }',
  );
  const packed = await packPlugin({ source, output: join(work, 'half.plugin'), kit });
  await unpack(packed.file, join(work, 'unpacked'));
  const worker = startWorker(join(work, 'unpacked'), 'java');
  expect(await worker.result('half', { n: 42 })).toBe(21);
  expect(await worker.end()).toBe(0);
});

describe('building all plugins', () => {
  test('every plugin becomes a package with its sidecar', async () => {
    await writeFile(join(pluginsDirectory, 'notes.txt'), 'no plugin');
    await mkdir(join(pluginsDirectory, 'empty'));
    expect(first.built.map(({ file, rebuilt }) => [file, rebuilt])).toEqual(
      [javaPackage, nodePackage].map((name) => [join(firstOutput, name), true]),
    );
    await takeFirstBuild();
    const { built, leftOut } = await build();
    expect(built.map((plugin) => plugin.file)).toEqual(
      [javaPackage, nodePackage].map((name) => join(outputDirectory, name)),
    );
    expect(leftOut).toEqual([]);
    expect((await readdir(outputDirectory)).sort()).toEqual(
      [...filesOf(javaPackage), ...filesOf(nodePackage), 'catalog.json', 'left-out.json'].sort(),
    );
    expect(await readFile(join(outputDirectory, 'left-out.json'), 'utf8')).toBe('[]\n');
  });

  test('a Java package is the same every time', async () => {
    const source = join(fixtures, 'echo-java');
    const again = await packPlugin({ source, output: join(work, 'b.plugin'), kit });
    expect(again.sha256).toBe(first.built.find(({ id }) => id === again.id)?.sha256);
  });

  test('only outdated packages are rebuilt', async () => {
    const ids = { java: 'com.example.echo-java', node: 'com.example.echo-node' };
    await takeFirstBuild();
    expect(await rebuilt()).toEqual({ [ids.java]: false, [ids.node]: false });
    await appendFile(join(pluginsDirectory, 'echo-node/backend/worker.mjs'), '// changed\n');
    expect(await rebuilt()).toEqual({ [ids.java]: false, [ids.node]: true });
    await writeFile(join(outputDirectory, nodePackage), 'damaged');
    expect(await rebuilt()).toEqual({ [ids.java]: false, [ids.node]: true });
    expect(await rebuilt()).toEqual({ [ids.java]: false, [ids.node]: false });
  });

  test('a new version replaces the package of the old one, and foreign files stay', async () => {
    await takeFirstBuild();
    await writeFile(join(outputDirectory, 'other-1.0.0.plugin'), 'of somebody else');
    const file = join(pluginsDirectory, 'echo-node/manifest.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('1.2.3', '1.3.0'));
    await build();
    const packages = (await readdir(outputDirectory)).filter((name) => name.endsWith('.plugin'));
    expect(packages.sort()).toEqual([
      javaPackage,
      'com.example.echo-node-1.3.0.plugin',
      'other-1.0.0.plugin',
    ]);
  });

  test('without javac a Java plugin is skipped with the reason', async () => {
    const environment = await withoutJdk();
    const { built, leftOut } = await build(environment);
    expect(built.map((plugin) => plugin.id)).toEqual(['com.example.echo-node']);
    expect(leftOut).toEqual([
      {
        id: 'com.example.echo-java',
        reason:
          'javac was not found. Install a JDK 17 or newer, or set JAVA_HOME to one, and build again.',
      },
    ]);
    const written = await readFile(join(outputDirectory, 'left-out.json'), 'utf8');
    expect(JSON.parse(written)).toEqual(leftOut);
    const source = join(fixtures, 'echo-java');
    const output = join(work, 'a.plugin');
    await expect(packPlugin({ source, output, kit, environment })).rejects.toThrow(MissingJavac);
  });

  test('a package that is still current needs no javac', async () => {
    await takeFirstBuild();
    const { leftOut } = await build(await withoutJdk());
    expect(leftOut).toEqual([]);
  });

  test('an outdated package that cannot be rebuilt is removed', async () => {
    await takeFirstBuild();
    await appendFile(
      join(pluginsDirectory, 'echo-java/backend/src/echo/Main.java'),
      '// changed\n',
    );
    await build(await withoutJdk());
    expect(await readdir(outputDirectory)).not.toContain(javaPackage);
  });

  test('a JDK that is too old is reported', async () => {
    const home = join(work, 'jdk');
    await mkdir(join(home, 'bin'), { recursive: true });
    const script = '#!/bin/sh\necho "javac 1.8.0_402"\n';
    await writeFile(join(home, 'bin/javac'), script, { mode: 0o755 });
    const { leftOut } = await build({ JAVA_HOME: home, PATH: process.env['PATH'] });
    expect(leftOut[0]?.reason).toMatch(/^javac 8 is too old\. Install a JDK 17 or newer/);
  });

  test('sources that do not compile fail with the output of the compiler', async () => {
    const main = join(pluginsDirectory, 'echo-java/backend/src/echo/Main.java');
    await appendFile(main, 'class {\n');
    await expect(build()).rejects.toThrow(/do not compile[^]*Main\.java:\d+: error/);
  });

  test('the command line builds into the directory that it is given', async () => {
    const args = ['--plugins', pluginsDirectory, '--output', outputDirectory];
    const env = await withoutJdk();
    const run = promisify(execFile);
    const command = [join(kit, 'pack-all.ts'), ...args];
    const { stdout, stderr } = await run(process.execPath, command, { env });
    expect(stdout).toBe(`built   ${join(outputDirectory, nodePackage)}\n`);
    expect(stderr).toContain('left out com.example.echo-java: javac was not found.');
    await expect(run(process.execPath, [join(kit, 'pack-all.ts'), '--nonsense'])).rejects.toThrow(
      'Usage:',
    );
  });
});
