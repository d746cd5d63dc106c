import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PluginManifest } from '../service/contract/manifest.ts';
import { issueMessages, textOf } from '../service/messages/index.ts';
import type { BundleInput } from './bundle/bundle-modules.ts';
import { pageBundles, workerBundle } from './bundle/find-bundles.ts';
import { filesBelow } from './files-below.ts';
import { kitRoot } from './kit-root.ts';

/** The sources of one plugin in its directory. */
export interface PluginSource {
  directory: string;
  manifest: PluginManifest;
  /** Relative paths, sorted. */
  files: string[];
  /** Runtime whose kit library the package needs; null if it contains a prebuilt worker. */
  library: 'java' | 'node' | null;
  workerEntry: string;
  /** Modules that are bundled from several files or compiled from TypeScript. */
  bundles: Omit<BundleInput, 'directory'>[];
}

const defaultEntry = { java: 'backend/worker.jar', node: 'backend/worker.mjs' } as const;

/**
 * Reads a plugin's directory and checks what the host would detect only later.
 * @throws Error with one line per problem
 */
export async function readPluginSource(directory: string): Promise<PluginSource> {
  const files = await filesBelow(directory);
  if (!files.includes('manifest.json')) throw new Error(`${directory} has no manifest.json.`);
  const manifest = parseManifest(await readFile(join(directory, 'manifest.json'), 'utf8'));
  const { runtime } = manifest.worker;
  const compiled = runtime === 'java' && files.some((path) => path.startsWith('backend/src/'));
  const workerEntry = manifest.worker.entry ?? defaultEntry[runtime];
  const worker = runtime === 'node' ? await workerBundle(directory, files, workerEntry) : null;
  const source: PluginSource = {
    directory,
    manifest,
    files,
    library: compiled || runtime === 'node' ? runtime : null,
    workerEntry,
    bundles: [...(worker === null ? [] : [worker]), ...(await pageBundles(directory, files))],
  };
  const problems = [
    ...missingFiles(source, compiled),
    ...(await reservedFiles(files)),
    ...brokenReferences(manifest),
  ];
  if (problems.length > 0) throw invalid(manifest.id, problems);
  return source;
}

function parseManifest(text: string): PluginManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`manifest.json is not JSON: ${String(error)}`, { cause: error });
  }
  const parsed = PluginManifest.safeParse(value);
  if (parsed.success) return parsed.data;
  const lines = issueMessages(parsed.error.issues, value).map(
    ({ path, message }) => `${path}: ${textOf(message)}`,
  );
  throw invalid('manifest.json', lines);
}

function missingFiles(source: PluginSource, compiled: boolean): string[] {
  const { manifest, files, workerEntry, bundles } = source;
  const isThere = (path: string): boolean =>
    files.includes(path) || bundles.some(({ output }) => output === path);
  const problems = [];
  if (!isThere(manifest.ui.entry)) problems.push(`${manifest.ui.entry} is missing.`);
  // The host accepts no package without a worker, even one without methods.
  if (!compiled && !isThere(workerEntry)) problems.push(`${workerEntry} is missing.`);
  if (compiled && files.includes(workerEntry)) {
    problems.push(`${workerEntry} and backend/src are both there; keep one of them.`);
  }
  return problems;
}

/** Folders of a package that the kit or the host fills, and the source of their content. */
const reserved = { 'ui/plugin-kit/': 'page', 'backend/plugin-kit/': 'node', 'ui/_host/': null };

/**
 * Returns files in reserved folders, except the kit's own copies for editors and for starting the
 * worker by hand.
 */
async function reservedFiles(files: readonly string[]): Promise<string[]> {
  const problems = [];
  for (const [folder, part] of Object.entries(reserved)) {
    const own = part === null ? [] : await filesBelow(join(kitRoot, part));
    const others = files
      .filter((path) => path.startsWith(folder) && !isDeclaration(path))
      .filter((path) => !own.includes(path.slice(folder.length)));
    if (others.length > 0)
      problems.push(
        `${folder} is filled in by others; rename that directory (${String(others[0])}).`,
      );
  }
  return problems;
}

export const isReserved = (path: string): boolean =>
  Object.keys(reserved).some((folder) => path.startsWith(folder));

export const isDeclaration = (path: string): boolean => /\.d\.[cm]?ts$/.test(path);

function brokenReferences(manifest: PluginManifest): string[] {
  const tools = new Set(manifest.aiTools.map((tool) => tool.name));
  const methods = manifest.aiTools
    .filter((tool) => !(tool.method in manifest.methods))
    .map((tool) => `aiTools: ${tool.name} names the unknown method '${tool.method}'.`);
  const nodes = manifest.flowNodes
    .filter((node) => !tools.has(node.tool))
    .map((node) => `flowNodes: ${node.type} names the unknown tool '${node.tool}'.`);
  return [...methods, ...nodes];
}

const invalid = (what: string, problems: string[]): Error =>
  new Error([`${what} cannot be packed:`, ...problems].join('\n- '));
