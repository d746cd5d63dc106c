import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PluginManifest } from '../service/contract/manifest.ts';
import { filesBelow } from './files-below.ts';

/** The sources of one plugin, as they lie in its directory. */
export interface PluginSource {
  directory: string;
  manifest: PluginManifest;
  /** Relative paths, sorted. */
  files: string[];
  /** The runtime whose kit library the package needs; null when it brings its worker ready made. */
  library: 'java' | 'node' | null;
  workerEntry: string;
}

const defaultEntry = { java: 'backend/worker.jar', node: 'backend/worker.mjs' } as const;

/**
 * Reads a plugin's directory and checks what the host would only find out later.
 * @throws Error with one line for everything that is wrong
 */
export async function readPluginSource(directory: string): Promise<PluginSource> {
  const files = await filesBelow(directory);
  if (!files.includes('manifest.json')) throw new Error(`${directory} has no manifest.json.`);
  const manifest = parseManifest(await readFile(join(directory, 'manifest.json'), 'utf8'));
  const { runtime } = manifest.worker;
  const compiled = runtime === 'java' && files.some((path) => path.startsWith('backend/src/'));
  const source: PluginSource = {
    directory,
    manifest,
    files,
    library: compiled || runtime === 'node' ? runtime : null,
    workerEntry: manifest.worker.entry ?? defaultEntry[runtime],
  };
  const problems = [...missingFiles(source, compiled), ...brokenReferences(manifest)];
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
  const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw invalid('manifest.json', lines);
}

function missingFiles(source: PluginSource, compiled: boolean): string[] {
  const { manifest, files, workerEntry } = source;
  const problems = [];
  if (!files.includes(manifest.ui.entry)) problems.push(`${manifest.ui.entry} is missing.`);
  // The host takes no package without a worker, whether or not it has methods.
  if (!compiled && !files.includes(workerEntry)) problems.push(`${workerEntry} is missing.`);
  for (const reserved of ['ui/plugin-kit/', 'backend/plugin-kit/', 'ui/_host/']) {
    if (files.some((path) => path.startsWith(reserved))) {
      problems.push(`${reserved} is filled in by others; rename that directory.`);
    }
  }
  if (compiled && files.includes(workerEntry)) {
    problems.push(`${workerEntry} and backend/src are both there; keep one of them.`);
  }
  return problems;
}

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
