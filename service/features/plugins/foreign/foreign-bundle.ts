import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../../core/is-object.ts';
import { type Message, msg } from '../../../messages/index.ts';
import { maxManifestBytes } from '../packages/package-manifest.ts';
import { packageRules } from '../packages/package-rules.ts';
import { readBody, unpackBodies } from '../../../platform/archives/archive-bodies.ts';
import { makeDirectories, withArchive } from '../../../platform/archives/archive-file.ts';
import { readIndex } from '../../../platform/archives/archive-index.ts';

/** A plugin that was made for another program. */
export interface ForeignBundle {
  kind: 'claude' | 'mcpb';
  directory: string;
  /** Relative path of the file that describes it. */
  manifestFile: string;
  manifest: Record<string, unknown>;
  /** Relative paths, sorted. */
  files: string[];
  /** Parts that cannot be in a package, with the reason. */
  leftOut: Message[];
}

const claudeManifest = '.claude-plugin/plugin.json';

/** By what is inside, since an upload has no name. Reads no more than the tables and `manifest.json`. */
export async function isForeignArchive(file: string): Promise<boolean> {
  try {
    return await withArchive(file, async (archive) => {
      const { size } = await archive.stat();
      const { entries } = await readIndex(archive, size, packageRules);
      const own = entries.find(({ name }) => name === 'manifest.json');
      if (own === undefined)
        return entries.some(({ name }) => /^(?:[^/]+\/)?\.claude-plugin\/plugin\.json$/.test(name));
      if (Math.max(own.sizeBytes, own.compressedBytes) > maxManifestBytes) return false;
      return isMcpbManifest(parsed((await readBody(archive, own)).toString('utf8')));
    });
  } catch {
    // The errors of an archive that cannot be read are those of a package.
    return false;
  }
}

const isMcpbManifest = (manifest: Record<string, unknown> | null): boolean =>
  manifest !== null &&
  ('manifest_version' in manifest || 'dxt_version' in manifest) &&
  isObject(manifest['server']);

/**
 * Reads a folder or an `.mcpb` file; `work` is an empty folder to unpack it in. Null for what is neither a
 * plugin of Claude Code nor an MCP bundle.
 */
export async function readForeignBundle(path: string, work: string): Promise<ForeignBundle | null> {
  const info = await stat(path).catch(() => null);
  if (info?.isFile() === true) {
    if (!(await isForeignArchive(path))) return null;
    const directory = join(work, 'bundle');
    await unpack(path, directory);
    return readFolder(await innerFolder(directory));
  }
  return info?.isDirectory() === true ? readFolder(path) : null;
}

async function readFolder(directory: string): Promise<ForeignBundle | null> {
  const own = await jsonOf(join(directory, 'manifest.json'));
  if (own !== null && isMcpbManifest(own))
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

/** Archives of repositories have one folder at the top. */
async function innerFolder(directory: string): Promise<string> {
  const entries = await readdir(directory, { withFileTypes: true });
  const [only] = entries.filter(({ name }) => name !== '__MACOSX' && name !== '.DS_Store');
  const hasOne = entries.length > 0 && only?.isDirectory() === true && !only.name.startsWith('.');
  return hasOne && entries.every(({ name }) => name === only.name || name.startsWith('__'))
    ? join(directory, only.name)
    : directory;
}

async function jsonOf(file: string): Promise<Record<string, unknown> | null> {
  return parsed(await readFile(file, 'utf8').catch(() => ''));
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const neverPacked = new Set(['.git', '.DS_Store', '.github', '.vscode']);

/** Also `node_modules`, which a bundle brings for its server. */
async function walk(
  directory: string,
): Promise<Pick<ForeignBundle, 'directory' | 'files' | 'skipped'>> {
  const files: string[] = [];
  const leftOut: Message[] = [];
  const visit = async (relative: string): Promise<void> => {
    for (const entry of await readdir(join(directory, relative), { withFileTypes: true })) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (neverPacked.has(entry.name)) continue;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) files.push(path);
      else leftOut.push(msg('convert.link', { path }));
    }
  };
  await visit('');
  return { directory, files: files.sort(), skipped };
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
