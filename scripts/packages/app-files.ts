import { chmodSync, copyFileSync, globSync, mkdirSync, statSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

/** System that a package is for. */
export interface Target {
  platform: 'linux' | 'win32' | 'darwin';
  arch: string;
  /** A `node_modules` folder whose files for this target take precedence over the project's. */
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
 * The plugin kit with its templates, which contain sources and tests. Packages that it loads by
 * name are among those of the program.
 */
const kitFiles =
  'dist/kit/{LICENSE,package.json,{bin,bridge,java,java-testing,lib,node,page,templates,types}/**}';

/** Files for developers only. */
const neverShipped = [
  '**/*.{map,ts,mts,cts,tsx,tsbuildinfo,java,c,cc,cpp,h,gyp,gypi,o,a}',
  '**/{README,CHANGELOG,HISTORY}*',
  '**/{test,tests,__tests__,cache}/**',
];

/**
 * npm packages that the bundle loads by name, with the files they need at run time. Everything else
 * is bundled in `dist/`.
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
    // Without recorder, trace viewer and test tools: the host only controls a browser.
    'playwright-core': [
      ...['package.json', 'LICENSE', 'NOTICE', 'ThirdPartyNotices.txt', 'browsers.json'],
      ...['index.{js,mjs}', 'lib/*.{js,wasm,LICENSE}', 'lib/{entry,server}/**'],
    ],
    tinypool: ['package.json', 'LICENSE', 'dist/**'],
    ...bundler({ platform, arch }),
    // Used only for calls of the Windows kernel.
    ...(platform === 'win32' ? koffi : {}),
    // On X11 the host sends keys itself.
    ...(platform === 'linux' ? {} : robot),
  } as Record<string, string[]>;
}

/** The bundler of the plugin kit, which is native code for one system. */
export function bundler({ platform, arch }: Pick<Target, 'platform' | 'arch'>) {
  const library = { linux: '-gnu', win32: '-msvc', darwin: '' }[platform];
  return {
    rolldown: ['package.json', 'LICENSE', 'THIRD-PARTY-LICENSE', 'dist/**/*.{js,mjs,cjs}'],
    '@rolldown/pluginutils': ['package.json', 'LICENSE', 'dist/**/*.{js,mjs}'],
    [`@rolldown/binding-${platform}-${arch}${library}`]: ['package.json', '*.node'],
  };
}

/** Returns the files of the program for a target: path in the package -> path on disk. */
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

/** A file to copy. `mode` defaults to 0644. */
export interface CopyTarget {
  from: string;
  to: string;
  mode?: number;
}

/** Copies a file with a fixed mode, independent of the umask and the source. */
export function put({ from, to, mode = 0o644 }: CopyTarget): void {
  mkdirSync(join(to, '..'), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, mode);
}
