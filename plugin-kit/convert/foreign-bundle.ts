import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../service/core/is-object.ts';
import { packageRules } from '../../service/features/plugins/packages/package-rules.ts';
import { unpackBodies } from '../../service/platform/archives/archive-bodies.ts';
import { makeDirectories, withArchive } from '../../service/platform/archives/archive-file.ts';
import { readIndex } from '../../service/platform/archives/archive-index.ts';

/** A plugin that was made for another program. */
export interface ForeignBundle {
  kind: 'claude' | 'mcpb';
  directory: string;
  /** Relative path of its manifest. */
  manifestFile: string;
  manifest: Record<string, unknown>;
  /** Relative paths, sorted. */
  files: string[];
  /** Paths of symbolic links, which packages cannot contain. */
  leftOut: string[];
}

const claudeManifest = '.claude-plugin/plugin.json';

/**
 * Reads a folder or an `.mcpb` file; `work` is an empty folder to unpack it in. Returns null if it
 * is neither a plugin for Claude Code nor an MCP bundle.
 */
export async function readForeignBundle(path: string, work: string): Promise<ForeignBundle | null> {
  const info = await stat(path).catch(() => null);
  if (info?.isFile() === true) {
    if (!/\.(?:mcpb|dxt|zip)$/i.test(path)) return null;
    const directory = join(work, 'bundle');
    await unpack(path, directory);
    return readFolder(await innerFolder(directory));
  }
  return info?.isDirectory() === true ? readFolder(path) : null;
}

/** Archives of a folder or repository have one folder that contains everything. */
async function innerFolder(directory: string): Promise<string> {
  const entries = await readdir(directory, { withFileTypes: true });
  const [only] = entries;
  const isWrapped =
    entries.length === 1 && only?.isDirectory() === true && !only.name.startsWith('.');
  return isWrapped ? join(directory, only.name) : directory;
}

async function readFolder(directory: string): Promise<ForeignBundle | null> {
  const own = await jsonOf(join(directory, 'manifest.json'));
  const isMcpb = own !== null && ('manifest_version' in own || 'dxt_version' in own);
  if (isMcpb && isObject(own['server']))
    return {
      kind: 'mcpb',
      manifestFile: 'manifest.json',
      manifest: own,
      ...(await walk(directory)),
    };
  if (own !== null) return null;
  const claude = await jsonOf(join(directory, claudeManifest));
  if (claude === null) return null;
  return {
    kind: 'claude',
    manifestFile: claudeManifest,
    manifest: claude,
    ...(await walk(directory)),
  };
}

async function jsonOf(file: string): Promise<Record<string, unknown> | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const neverPacked = new Set(['.git', '.DS_Store', '.github', '.vscode']);

/** Includes `node_modules`, which a bundle contains for its server. */
async function walk(
  directory: string,
): Promise<Pick<ForeignBundle, 'directory' | 'files' | 'leftOut'>> {
  const files: string[] = [];
  const leftOut: string[] = [];
  const visit = async (relative: string): Promise<void> => {
    for (const entry of await readdir(join(directory, relative), { withFileTypes: true })) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (neverPacked.has(entry.name)) continue;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) files.push(path);
      else leftOut.push(path);
    }
  };
  await visit('');
  return { directory, files: files.sort(), leftOut };
}

async function unpack(file: string, directory: string): Promise<void> {
  await withArchive(file, async (archive) => {
    const { size } = await archive.stat();
    const { entries } = await readIndex(archive, size, packageRules);
    await mkdir(directory, { recursive: true });
    await makeDirectories(directory, entries);
    await unpackBodies({ archive, entries, targetOf: ({ name }) => join(directory, name) });
  });
}
