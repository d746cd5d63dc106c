import { z } from 'zod';
import { excessOf } from '../../../core/json-shape.ts';
import {
  languageServerFile,
  languageServersIn,
  mergedServers,
  manifestIn,
  manifestPaths,
} from '../../contributions/index.ts';
import { BlobReader } from '../git/blob-reader.ts';
import type { Git, GitRun } from '../git/git.ts';

/** Facts about a plugin in the same repository as its catalog, read before it is installed. */
export const PluginFolder = z.object({
  readme: z.string().optional(),
  /** Version in its own manifest. */
  version: z.string().nullable().default(null),
  description: z.string().nullable().default(null),
  author: z.string().nullable().default(null),
  /**
   * True if it has a file in a location of skills, commands, agents, hooks or MCP servers, or names
   * some in its manifest.
   */
  hasParts: z.boolean(),
  /** Names of language servers, which the host does not run. */
  languageServers: z.array(z.string()).default([]),
});
export type PluginFolder = z.output<typeof PluginFolder>;

/** The folders of a commit to read. */
export interface FoldersQuery {
  commit: string;
  /** Folders of the repository; empty for its root. */
  paths: readonly string[];
  git: Git;
  run: Omit<GitRun, 'args'>;
}

const limits = { oneBytes: 64 * 1024, allBytes: 16 * 1024 ** 2, listBytes: 16 * 1024 ** 2 };
const jsonLimits = { levels: 64, values: 50_000 };
const plainFile = /^100(?:644|755) blob ([0-9a-f]+) +(\d+)\t(.*)$/s;
const readmeName = /^readme(?:\.md|\.txt)?$/i;
const parts = [
  /^(?:skills\/(?:.+\/)?)?skill\.md$/i,
  /^(?:commands|agents)\/.+\.md$/i,
  /^(?:hooks\/)?hooks\.json$/,
  /^\.?mcp\.json$/,
];

/**
 * Reads facts about the folders of a fetched commit, by folder; missing folders are left out. The
 * facts are optional: what is too large is skipped, and no catalog fails because of them.
 */
export async function pluginFolders(query: FoldersQuery): Promise<Record<string, PluginFolder>> {
  try {
    const found = await foldersIn(query);
    await readTexts(query, found);
    return Object.fromEntries([...found].map(([path, folder]) => [path, factsOf(folder)]));
  } catch {
    query.run.signal.throwIfAborted();
    return {};
  }
}

interface Folder {
  hasParts: boolean;
  /** Files to read: object ids by name, then their texts. */
  objects: Map<string, string>;
  texts: Map<string, string>;
}

interface TreeFile {
  object: string;
  bytes: number;
  path: string;
}

async function foldersIn(query: FoldersQuery): Promise<Map<string, Folder>> {
  const requestedPaths = new Set(query.paths);
  const folders = new Map<string, Folder>();
  let allBytes = 0;
  for (const file of await filesOf(query))
    for (const path of foldersOf(file.path).filter((one) => requestedPaths.has(one))) {
      const folder = folders.get(path) ?? { hasParts: false, objects: new Map(), texts: new Map() };
      folders.set(path, folder);
      const most = Math.min(limits.oneBytes, limits.allBytes - allBytes);
      const name = path === '' ? file.path : file.path.slice(path.length + 1);
      if (addTo(folder, { ...file, path: name }, most)) allBytes += file.bytes;
    }
  return folders;
}

async function filesOf({ commit, git, run }: FoldersQuery): Promise<TreeFile[]> {
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', commit];
  const listing = await git.output({ ...run, args }, limits.listBytes);
  return listing
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const [, object = '', bytes = '', path = ''] = plainFile.exec(line) ?? [];
      return path === '' ? [] : [{ object, bytes: Number(bytes), path }];
    });
}

/** Records a file by its path in the folder; returns true if its text must be read. */
function addTo(folder: Folder, { object, bytes, path }: TreeFile, maxBytes: number): boolean {
  folder.hasParts ||= parts.some((part) => part.test(path));
  const kind = kindOf(path);
  if (kind === null || folder.objects.has(kind) || bytes > maxBytes) return false;
  folder.objects.set(kind, object);
  return true;
}

/** Every folder that contains a file, the innermost first; empty is the root. */
function foldersOf(file: string): string[] {
  const names = file.split('/').slice(0, -1);
  return [...names.keys()].map((at) => names.slice(0, names.length - at).join('/')).concat('');
}

/** The part of a plugin that a file belongs to; the first file of a kind counts. */
function kindOf(name: string): string | null {
  if (readmeName.test(name)) return 'readme';
  return name === languageServerFile || manifestPaths.includes(name) ? name : null;
}

async function readTexts(
  { git, run }: FoldersQuery,
  folders: ReadonlyMap<string, Folder>,
): Promise<void> {
  const requested = [...folders.values()].flatMap(({ objects, texts }) =>
    [...objects].map(([kind, object]) => ({ kind, object, texts })),
  );
  if (requested.length === 0) return;
  await git.stream({ ...run, args: ['cat-file', '--batch', '--buffer'] }, async (process) => {
    process.stdin.end(requested.map(({ object }) => `${object}\n`).join(''));
    const reader = new BlobReader(process.stdout as AsyncIterable<Buffer>);
    for (const { kind, texts } of requested) {
      const chunks: Buffer[] = [];
      const { content } = await reader.next();
      for await (const chunk of content) chunks.push(chunk);
      texts.set(kind, Buffer.concat(chunks).toString('utf8'));
    }
  });
}

function factsOf({ hasParts, texts }: Folder): PluginFolder {
  const manifest = manifestPaths
    .map((path) => manifestIn(path, jsonOf(texts.get(path))))
    .find((one) => one !== null);
  const readme = texts.get('readme');
  const { version = null, description = null, author = null } = manifest?.about ?? {};
  const { declared = {}, languageServers = [] } = manifest ?? {};
  const inFile = languageServersIn(jsonOf(texts.get(languageServerFile)));
  return {
    ...(readme === undefined ? {} : { readme }),
    version,
    description,
    author,
    hasParts: hasParts || Object.values(declared).some((part) => part !== undefined),
    languageServers: mergedServers(languageServers, inFile),
  };
}

/** Undefined for invalid or too large JSON. */
function jsonOf(text: string | undefined): unknown {
  if (text === undefined || excessOf(text, jsonLimits) !== null) return undefined;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return undefined;
  }
}
