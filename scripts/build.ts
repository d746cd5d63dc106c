import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { builtinModules } from 'node:module';
import { basename } from 'node:path';
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown';
import { buildH2Bridge } from './h2-bridge.ts';
import { recordPackages } from './packages/bundled-packages.ts';
import { spawnPassing } from './spawn.ts';
import { unlessFresh } from './stale.ts';

const builtins = [...builtinModules, ...builtinModules.map((name) => `node:${name}`)];

/**
 * Loaded from node_modules at run time: native code, Electron, and drivers that are required by
 * name.
 */
export const external = [
  ...builtins.filter((name) => !isHttp(name)),
  'electron',
  'sqlite3',
  'koffi',
  '@jitsi/robotjs',
  'playwright-core',
  // Starts threads from a file of its own.
  'tinypool',
];

function isHttp(name: string): boolean {
  return name === 'node:http' || name === 'http';
}

/**
 * An import of node:http reads all its exports, including WebSocket, which loads a fetch library
 * and costs 40 ms at start. Reading single exports avoids this.
 */
const leanHttp: Plugin = {
  name: 'lean-http',
  resolveId(id, _importer, { kind }) {
    if (!isHttp(id)) return null;
    return kind === 'require-call'
      ? { id: 'node:http', external: true }
      : { id: '\0lean-http', moduleSideEffects: false };
  },
  load(id) {
    if (id !== '\0lean-http') return null;
    const plain = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(
      ([, { value }]) => value !== undefined,
    );
    const lines = plain.map(([name]) => `export const ${name} = http.${name};`);
    const taken = [`const http = process.getBuiltinModule('node:http');`, 'export default http;'];
    return [...taken, ...lines].join('\n');
  },
};

/**
 * Builds outdated parts into `dist/`.
 * @throws Error if a part fails
 */
export async function build(): Promise<void> {
  await buildBundles();
  copyFileSync('packaging/icons/32x32.png', 'dist/32x32.png');
  await buildH2Bridge();
  copyShellGrammars();
  await node('plugin-kit/pack-all.ts');
  // The samples are not shipped with the host.
  await node('plugin-kit/pack-all.ts', '--plugins', 'plugins/samples', '--output', 'dist/samples');
}

/** Builds the bundles, which include npm packages. */
export async function buildBundles(): Promise<void> {
  const recorder = 'scripts/packages/bundled-packages.ts';
  const catalogs = 'service/messages/*.json';
  const agents = 'service/features/plugins/inspect/*.mjs';
  const own = ['scripts/build.ts', recorder];
  const sources = ['service/**/*.ts', agents, catalogs, 'main/**/*.ts', ...own];
  await unlessFresh('main', 'dist/main/index.mjs', sources, buildMain);
  const preload = ['preload/**/*.ts', recorder];
  await unlessFresh('preload', 'dist/preload/index.cjs', preload, buildPreload);
  await unlessFresh(
    'plugin-client',
    'dist/plugin-client/plugin-client.js',
    ['plugin-kit/plugin-client/**/*.ts'],
    () => node('plugin-kit/plugin-client/build.ts'),
  );
  const shell = [
    ...['renderer-shell/**/*', 'service/contract/*.ts', 'service/client/*.ts'],
    ...['service/messages/*.ts', catalogs],
    ...['scripts/build-shell.ts', recorder],
  ];
  await unlessFresh('renderer-shell', 'dist/renderer-shell/index.html', shell, () =>
    node('scripts/build-shell.ts'),
  );
  const frame = ['renderer-shell/answer-frame/*.ts', recorder, 'scripts/build-answer-frame.ts'];
  await unlessFresh('answer-frame', 'dist/answer-frame/diagram.js', frame, () =>
    node('scripts/build-answer-frame.ts'),
  );
  await buildKit();
}

/** Builds the kit for plugin authors, as a folder and as a tarball. */
async function buildKit(): Promise<void> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const sources = [
    'service/**/*.ts',
    'service/messages/*.json',
    'plugin-kit/**/*',
    'docs/plugin-*.md',
    'scripts/build*.ts',
    'THIRD-PARTY-NOTICES',
  ];
  await unlessFresh('kit', `dist/plugin-host-kit-${version}.tgz`, sources, () =>
    node('scripts/build-kit.ts'),
  );
}

/** Copies the shell grammars, which are WebAssembly. */
function copyShellGrammars(): void {
  mkdirSync('dist/shell-grammars', { recursive: true });
  for (const name of ['tree-sitter', 'tree-sitter-powershell']) {
    const from = `node_modules/@vscode/tree-sitter-wasm/wasm/${name}.wasm`;
    copyFileSync(from, `dist/shell-grammars/${name}.wasm`);
  }
}

async function node(...args: string[]): Promise<void> {
  if ((await spawnPassing(process.execPath, args, { output: 'stderr' })) !== 0)
    throw new Error(`${args.join(' ')} failed`);
}

async function buildMain(): Promise<void> {
  rmSync('dist/main', { recursive: true, force: true });
  const programs = [
    'main/index.ts',
    // Entry files of threads, loaded by file name: platform/job-thread.ts,
    // browser/chromium/thread-channel.ts.
    'service/features/plugins/schema-worker.ts',
    'service/features/tools/web/page-worker.ts',
    'service/features/chat/attachments/document-worker.ts',
    'service/platform/browser/chromium/chromium-thread.ts',
    // A separate program that is copied out of the package before it runs, see main/swap-update.ts.
    'main/swap-update.ts',
  ];
  for (const program of programs)
    await bundleForNode(program, 'dist/main', [recordPackages(basename(program, '.ts'))]);
  // Read as text by features/plugins/inspect/inspected-command.ts.
  for (const name of ['node-agent.mjs', 'java-agent.mjs'])
    copyFileSync(`service/features/plugins/inspect/${name}`, `dist/main/${name}`);
}

/** Bundles programs for Node as `<name>.mjs`, with their chunks in `dir`. */
export async function bundleForNode(
  input: string | string[],
  dir: string,
  plugins: Plugin[] = [],
  alsoExternal: string[] = [],
): Promise<void> {
  await bundle(
    {
      input,
      platform: 'node',
      external: [...external, ...alsoExternal],
      tsconfig: false,
      plugins: [leanHttp, ...plugins],
    },
    {
      dir,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      // CommonJS packages require their own files at run time and rely on these names to locate
      // them.
      banner:
        "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;",
      minify: { mangle: false, compress: true, codegen: true },
    },
  );
}

async function buildPreload(): Promise<void> {
  await bundle(
    {
      input: 'preload/index.ts',
      platform: 'node',
      external,
      tsconfig: false,
      plugins: [recordPackages('preload')],
    },
    { file: 'dist/preload/index.cjs', format: 'cjs' },
  );
}

async function bundle(input: InputOptions, output: OutputOptions): Promise<void> {
  const made = await rolldown({ ...input, logLevel: 'silent' });
  await made.write(output);
  await made.close();
}
