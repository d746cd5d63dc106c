import { chmodSync, copyFileSync, globSync, mkdirSync, statSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

/** What a package of this program is for. */
export interface Target {
  platform: 'linux' | 'win32' | 'darwin';
  arch: string;
  /** A folder as `node_modules` whose files for this target go before those of the project. */
  modules: string;
}

/** Built files that the program reads. */
const builtFiles = [
  'dist/main/*.mjs',
  'dist/preload/*',
  'dist/*.{png,ico}',
  'dist/renderer-shell/**',
  'dist/plugin-client/*.{js,mjs}',
  'dist/answer-frame/*.js',
  'dist/plugins/*.{plugin,sha256}',
  'dist/h2-bridge/**/*.class',
  'dist/shell-grammars/*.wasm',
];

/**
 * The plugin kit with its templates, which hold sources and tests of plugins. What it loads by name is among
 * the packages of the program.
 */
const kitFiles =
  'dist/kit/{LICENSE,package.json,{bin,bridge,java,java-testing,lib,node,page,templates,types}/**}';

/** Nothing that only a developer reads. */
const neverShipped = [
  '**/*.{map,ts,mts,cts,tsx,tsbuildinfo,java,c,cc,cpp,h,gyp,gypi,o,a}',
  '**/{README,CHANGELOG,HISTORY}*',
  '**/{test,tests,__tests__,cache}/**',
];

/**
 * Packages that the bundle asks for by name, with the files of them that are needed at run time.
 * Everything else that the program uses is inside `dist/`.
 */
export function shippedPackages({ platform, arch }: Pick<Target, 'platform' | 'arch'>) {
  const koffi = {
    koffi: ['package.json', 'LICENSE.txt', 'in*.{js,cjs}', 'src/koffi/**/*.{js,cjs}'],
    [`@koromix/koffi-${platform}-${arch}`]: ['**'],
  };
  const built = platform === 'darwin' ? 'darwin-x64+arm64' : `${platform}-${arch}`;
  const robot = {
    '@jitsi/robotjs': ['package.json', 'LICENSE.md', 'index.js', `prebuilds/${built}/*.node`],
    'node-gyp-build': ['package.json', 'LICENSE', 'index.js', 'node-gyp-build.js'],
  };
  return {
    sqlite3: ['package.json', 'LICENSE', 'lib/**', 'build/Release/node_sqlite3.node'],
    bindings: ['**'],
    'file-uri-to-path': ['**'],
    // Without what records, shows and tests: the host only speaks to a browser.
    'playwright-core': [
      ...['package.json', 'LICENSE', 'NOTICE', 'ThirdPartyNotices.txt', 'browsers.json'],
      ...['index.{js,mjs}', 'lib/*.{js,wasm,LICENSE}', 'lib/{entry,server}/**'],
    ],
    tinypool: ['package.json', 'LICENSE', 'dist/**'],
    ...bundler({ platform, arch }),
    // Calls of the Windows kernel alone.
    ...(platform === 'win32' ? koffi : {}),
    // On X11 the host presses keys itself.
    ...(platform === 'linux' ? {} : robot),
  } as Record<string, string[]>;
}

/** The bundler of the plugin kit, whose native code is made for one system. */
export function bundler({ platform, arch }: Pick<Target, 'platform' | 'arch'>) {
  const library = { linux: '-gnu', win32: '-msvc', darwin: '' }[platform];
  return {
    rolldown: ['package.json', 'LICENSE', 'THIRD-PARTY-LICENSE', 'dist/**/*.{js,mjs,cjs}'],
    '@rolldown/pluginutils': ['package.json', 'LICENSE', 'dist/**/*.{js,mjs}'],
    [`@rolldown/binding-${platform}-${arch}${library}`]: ['package.json', '*.node'],
  };
}

/** Files of the program for a target: relative path in the package -> where it is now. */
export function appFiles(target: Target): Map<string, string> {
  const files = new Map<string, string>();
  for (const pattern of builtFiles) {
    for (const file of filesOf('.', pattern)) files.set(file, file);
  }
  for (const file of globSync(kitFiles)
    .map((one) => one.replaceAll('\\', '/'))
    .sort())
    if (statSync(file).isFile()) files.set(file, file);
  for (const [name, patterns] of Object.entries(shippedPackages(target))) {
    for (const folder of ['node_modules', target.modules].map((modules) => join(modules, name))) {
      for (const file of patterns.flatMap((pattern) => filesOf(folder, pattern)))
        files.set(`node_modules/${name}/${file}`, join(folder, file));
    }
  }
  return files;
}

function filesOf(cwd: string, pattern: string): string[] {
  return globSync(pattern, { cwd })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !neverShipped.some((never) => matchesGlob(file, never)))
    .filter((file) => statSync(join(cwd, file)).isFile())
    .sort();
}

export interface CopyTarget {
  from: string;
  to: string;
  mode?: number;
}

/** Copies with modes of its own, whatever the umask or the mode of the source. */
export function put({ from, to, mode = 0o644 }: CopyTarget): void {
  mkdirSync(join(to, '..'), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, mode);
}
