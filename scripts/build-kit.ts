import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import ts from 'typescript';
import { manifestSchema } from '../service/contract/manifest-schema.ts';
import { bundleForNode } from './build.ts';
import { buildJavadocJar } from './javadoc-jar.ts';
import { bundler, shippedPackages, type Target } from './packages/app-files.ts';
import { recordPackages } from './packages/bundled-packages.ts';
import { manifest } from './packages/product.ts';

const kit = 'dist/kit';
/** Modification time of every file in the tarball, so that the same sources give the same bytes. */
const mtime = new Date('2020-01-01T00:00:00Z');

/** npm packages that the kit loads by name. The bundler is native code for the current system. */
const target = { platform: process.platform as Target['platform'], arch: process.arch };
const { tinypool = [], 'playwright-core': playwright = [] } = shippedPackages(target);
const carried: Record<string, string[]> = {
  tinypool,
  'playwright-core': playwright,
  ...bundler(target),
  // npm needs it as a dependency; only its manifest and license are shipped.
  '@oxc-project/types': ['package.json', 'LICENSE'],
};

rmSync(kit, { recursive: true, force: true });
await bundle();
copySources();
await writeTypes();
copyPackages();
writeFileSync(join(kit, 'package.json'), `${JSON.stringify(kitPackage(), null, 2)}\n`);
await pack();

async function bundle(): Promise<void> {
  const programs = [
    'plugin-kit/cli/program.ts',
    'plugin-kit/sandbox/testing.ts',
    // Loaded by file name, as in the host.
    'service/features/plugins/schema-worker.ts',
  ];
  await bundleForNode(programs, join(kit, 'lib'), [recordPackages('kit')], ['rolldown']);
}

function copySources(): void {
  for (const name of ['page', 'node', 'java', 'java-testing', 'templates'])
    cpSync(join('plugin-kit', name), join(kit, name), { recursive: true });
  cpSync('plugin-kit/program', kit, { recursive: true });
  mkdirSync(join(kit, 'bridge'), { recursive: true });
  for (const name of ['plugin-client.js', 'plugin-client.mjs'])
    copyFileSync(join('dist/plugin-client', name), join(kit, 'bridge', name));
  for (const name of ['LICENSE', 'THIRD-PARTY-NOTICES']) copyFileSync(name, join(kit, name));
  mkdirSync(join(kit, 'docs', 'images'), { recursive: true });
  const guide = ['plugin-authors.md', 'plugin-manifest.md', 'images/plugin-{new,page}.png'];
  for (const name of guide.flatMap((pattern) => globSync(pattern, { cwd: 'docs' })))
    copyFileSync(join('docs', name), join(kit, 'docs', name));
}

/** Writes the type and schema files for editors. */
async function writeTypes(): Promise<void> {
  const types = join(kit, 'types');
  cpSync('plugin-kit/types', types, { recursive: true });
  copyFileSync('dist/plugin-client/plugin-client.d.ts', join(types, 'plugin-client.d.ts'));
  const schema = `${JSON.stringify(manifestSchema(), null, 2)}\n`;
  writeFileSync(join(types, 'manifest.schema.json'), schema);
  await writeJavaTypes(join(types, 'java'));
  writeWorkerTypes(join(types, 'worker'));
}

/**
 * Copies the Java sources with their documentation. Leaves out the test support, which needs JUnit.
 */
async function writeJavaTypes(target: string): Promise<void> {
  const libraries = ['plugin-kit/java', 'plugin-kit/java-testing'];
  for (const library of libraries)
    cpSync(library, target, {
      recursive: true,
      filter: (from) => !from.endsWith('RunTests.java'),
    });
  if (!(await buildJavadocJar([target], join(target, 'plugin-host-javadoc.jar'))))
    process.stderr.write('No JDK: the kit has no documentation of its Java library.\n');
}

/** Generates declarations from the JSDoc comments of the Node library. */
function writeWorkerTypes(outDir: string): void {
  const files = globSync('plugin-kit/node/*.mjs').sort();
  const options: ts.CompilerOptions = {
    allowJs: true,
    declaration: true,
    emitDeclarationOnly: true,
    outDir,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: ['node'],
  };
  const { emitSkipped } = ts.createProgram(files, options).emit();
  if (emitSkipped) throw new Error('The types of the worker library cannot be made.');
}

function copyPackages(): void {
  for (const [name, patterns] of Object.entries(carried)) {
    const from = join('node_modules', name);
    const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: from }));
    for (const file of files.filter((one) => statSync(join(from, one)).isFile())) {
      if (/\.(?:map|[cm]?ts)$/.test(file)) continue;
      const to = join(kit, 'node_modules', name, file);
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(join(from, file), to);
    }
  }
}

function kitPackage(): object {
  const names = Object.keys(carried);
  return {
    name: 'plugin-host-kit',
    version: manifest.version,
    description: 'Makes, checks, tests and packs plugins of Plugin Host',
    license: manifest.license,
    type: 'module',
    engines: { node: '>=20.19.0' },
    bin: { 'plugin-host-plugin': 'bin/plugin-host-plugin.mjs' },
    exports: {
      '.': { types: './types/testing.d.mts', default: './lib/index.mjs' },
      './manifest.schema.json': './types/manifest.schema.json',
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(names.map((name) => [name, versionOf(name)])),
    bundleDependencies: names,
  };
}

function versionOf(name: string): string {
  const file = join('node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

async function pack(): Promise<void> {
  const files = globSync('**/*', { cwd: kit })
    .filter((file) => statSync(join(kit, file)).isFile())
    .sort();
  for (const old of globSync('dist/plugin-host-kit-*.tgz')) rmSync(old);
  const file = `dist/plugin-host-kit-${manifest.version}.tgz`;
  const gzip = { level: 6 };
  await create({ file, cwd: kit, prefix: 'package', portable: true, mtime, gzip }, files);
}
