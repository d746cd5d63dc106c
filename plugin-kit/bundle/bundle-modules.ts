import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { basename, join, posix, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { OutputAsset, OutputChunk, Plugin } from 'rolldown';
import { packageFolders } from './bundle-notices.ts';
import { loadRolldown } from './load-rolldown.ts';

/** Input of `bundleModule`. */
export interface BundleInput {
  /** Directory of the plugin. */
  directory: string;
  /** Relative path of the entry module. */
  entry: string;
  /** Relative path of the bundle in the package. */
  output: string;
  platform: 'node' | 'browser';
  /** True to create a source map; the bundle itself is the same. Default false. */
  withMap?: boolean;
}

/** Output of `bundleModule`. */
export interface BundledFile {
  path: string;
  bytes: Buffer;
  /** Absolute folders of the npm packages in the bundle. */
  packages: string[];
  /** Source map as JSON, with sources relative to the plugin; only if it was requested. */
  map?: string;
}

/** A reason why a module could not be bundled. Lines and columns count from 1. */
export interface BundleProblem {
  code: 'import_missing' | 'script_invalid' | 'bundle_failed';
  message: string;
  file: string | null;
  line: number | null;
  column: number | null;
}

export class BundleError extends Error {
  readonly problems: BundleProblem[];

  constructor(problems: BundleProblem[]) {
    super(
      problems.map(({ file, line, message }) => `${file ?? ''}:${line ?? 1} ${message}`).join('\n'),
    );
    this.problems = problems;
  }
}

/** Not bundled: files that the kit or the host adds to the package beside the bundle. */
const provided = /(?:^|\/)(?:plugin-kit\/[\w-]+\.mjs|_host\/plugin-client\.mjs)$/;
const builtins = [...builtinModules, ...builtinModules.map((name) => `node:${name}`)];

/**
 * Bundles an entry and everything it imports, including TypeScript, into one module. The same
 * sources give the same bytes.
 * @throws BundleError if an import is missing or a module is invalid
 */
export async function bundleModule(input: BundleInput): Promise<BundledFile> {
  const { directory, entry, output, platform, withMap = false } = input;
  const { rolldown } = await loadRolldown(directory);
  const missing: Missing[] = [];
  const files = await bundled().catch((error: unknown) => {
    throw new BundleError(problemsOf(error, directory));
  });
  if (missing.length > 0)
    throw new BundleError(await Promise.all(missing.map((one) => missingProblem(one, directory))));
  const chunk = files.find((file): file is OutputChunk => file.type === 'chunk');
  const packages = packageFolders(chunk?.moduleIds ?? []);
  const bundle = { path: output, bytes: Buffer.from(chunk?.code ?? ''), packages };
  return chunk?.map == null ? bundle : { ...bundle, map: mapText(chunk.map) };

  async function bundled(): Promise<readonly (OutputChunk | OutputAsset)[]> {
    const made = await rolldown({
      input: join(directory, entry),
      cwd: directory,
      platform,
      external: platform === 'node' ? builtins : [],
      tsconfig: false,
      plugins: [leaveProvided, collectMissing(missing)],
      logLevel: 'silent',
    });
    try {
      const sourcemap = withMap ? ('hidden' as const) : false;
      const options = { format: 'esm', codeSplitting: false, sourcemap } as const;
      return (await made.generate({ ...options, entryFileNames: basename(output) })).output;
    } finally {
      await made.close();
    }
  }
}

/** The bundler makes paths relative to an output folder, which does not exist here. */
function mapText({ version, names, mappings, sources }: NonNullable<OutputChunk['map']>): string {
  const inPlugin = sources.map((source) => posix.join('dist', source.replaceAll('\\', '/')));
  return JSON.stringify({ version, names, mappings, sources: inPlugin });
}

const leaveProvided: Plugin = {
  name: 'leave-provided',
  resolveId(source) {
    const found = provided.exec(source)?.[0].replace(/^\//, '');
    return found === undefined ? null : { id: `./${found}`, external: 'absolute' };
  },
};

/** The bundler only warns about missing modules, but the worker would fail at run time. */
function collectMissing(missing: Missing[]): Plugin {
  return {
    name: 'collect-missing',
    async resolveId(source, importer, options) {
      if (importer === undefined || builtins.includes(source)) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (found !== null) return found;
      // A package may use `require` to test whether another package exists.
      if (options.kind !== 'require-call') missing.push({ source, importer });
      return { id: source, external: true };
    },
  };
}

interface Missing {
  source: string;
  /** Absolute path of the importing module. */
  importer: string;
}

async function missingProblem(
  { source, importer }: Missing,
  directory: string,
): Promise<BundleProblem> {
  const text = await readFile(importer, 'utf8').catch(() => '');
  const at = Math.max(text.indexOf(`'${source}'`), text.indexOf(`"${source}"`));
  const before = text.slice(0, Math.max(0, at)).split('\n');
  const advice = /^[./]/.test(source)
    ? 'Correct the path.'
    : `Run npm install ${source} in the folder of the plugin.`;
  return {
    code: 'import_missing',
    message: `imports '${source}', which is not there. ${advice}`,
    file: insideOf(directory, importer),
    line: at === -1 ? null : before.length,
    column: at === -1 ? null : (before.at(-1)?.length ?? 0) + 1,
  };
}

const insideOf = (directory: string, file: string): string =>
  relative(directory, file).replaceAll('\\', '/');

interface RolldownError {
  message?: string;
  id?: string;
  loc?: { file?: string; line: number; column: number };
}

function problemsOf(error: unknown, directory: string): BundleProblem[] {
  const { errors } = error as { errors?: RolldownError[] };
  const all = errors === undefined || errors.length === 0 ? [error as RolldownError] : errors;
  return all.map((one) => problemOf(one, directory));
}

function problemOf({ loc, id, message = '' }: RolldownError, directory: string): BundleProblem {
  const file = loc?.file ?? id;
  const [first = ''] = stripVTControlCharacters(message).trim().split('\n');
  const isSyntax = first.startsWith('[PARSE_ERROR] ');
  const text = first.replace(/^\[\w+\] /, '');
  return {
    code: isSyntax ? 'script_invalid' : 'bundle_failed',
    message: isSyntax ? `cannot be read: ${text}` : text,
    file: file === undefined ? null : insideOf(directory, resolve(directory, file)),
    line: loc?.line ?? null,
    column: loc === undefined ? null : loc.column + 1,
  };
}
