import { z } from 'zod';
import { excessOf } from '../../../core/json-shape.ts';
import {
  languageServerFile,
  languageServersIn,
  manifestIn,
  manifestPaths,
} from '../../contributions/index.ts';
import { BlobReader } from '../git/blob-reader.ts';
import type { Git, GitRun } from '../git/git.ts';

/** What the files of a plugin that lies beside its catalogue tell before it is installed. */
export const PluginFolder = z.object({
  readme: z.string().optional(),
  /** Of its own manifest. */
  version: z.string().nullable().default(null),
  description: z.string().nullable().default(null),
  author: z.string().nullable().default(null),
  /** It has a file where skills, commands, agents, hooks or MCP servers lie, or its manifest names some. */
  hasParts: z.boolean(),
  /** Names of language servers, which the host does not run. */
  languageServers: z.array(z.string()).default([]),
});
export type PluginFolder = z.output<typeof PluginFolder>;

export interface FoldersQuery {
  commit: string;
  /** Folders of the repository; empty is its root. */
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
 * What the folders of a fetched commit tell, by folder; a folder that is not there is left out. It is a
 * courtesy of the store: what is too large is passed over, and no catalogue fails for it.
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
  /** What is read of it: the objects by name, then their texts. */
  objects: Map<string, string>;
  texts: Map<string, string>;
}

async function foldersIn({ commit, paths, git, run }: FoldersQuery): Promise<Map<string, Folder>> {
  const wanted = new Set(paths);
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', commit];
  const listing = await git.output({ ...run, args }, limits.listBytes);
  const folders = new Map<string, Folder>();
  let allBytes = 0;
  for (const line of listing.toString('utf8').split('\0')) {
    const [, object = '', bytes = '', file = ''] = plainFile.exec(line) ?? [];
    for (const path of foldersOf(file)) {
      if (!wanted.has(path)) continue;
      const folder = folders.get(path) ?? { hasParts: false, objects: new Map(), texts: new Map() };
      folders.set(path, folder);
      const name = path === '' ? file : file.slice(path.length + 1);
      folder.hasParts ||= parts.some((part) => part.test(name));
      const kind = kindOf(name);
      if (kind === null || folder.objects.has(kind)) continue;
      if (Number(bytes) > limits.oneBytes || allBytes + Number(bytes) > limits.allBytes) continue;
      allBytes += Number(bytes);
      folder.objects.set(kind, object);
    }
  }
  return folders;
}

/** Every folder that a file lies in, its own first; empty is the root. */
function* foldersOf(file: string): Generator<string> {
  if (file === '') return;
  for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1))
    yield file.slice(0, at);
  yield '';
}

/** As what a file of a plugin is read; the first of a kind counts. */
function kindOf(name: string): string | null {
  if (readmeName.test(name)) return 'readme';
  return name === languageServerFile || manifestPaths.includes(name) ? name : null;
}

async function readTexts(
  { git, run }: FoldersQuery,
  folders: ReadonlyMap<string, Folder>,
): Promise<void> {
  const wanted = [...folders.values()].flatMap(({ objects, texts }) =>
    [...objects].map(([kind, object]) => ({ kind, object, texts })),
  );
  if (wanted.length === 0) return;
  await git.stream({ ...run, args: ['cat-file', '--batch', '--buffer'] }, async (process) => {
    process.stdin.end(wanted.map(({ object }) => `${object}\n`).join(''));
    const reader = new BlobReader(process.stdout as AsyncIterable<Buffer>);
    for (const { kind, texts } of wanted) {
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
  const declares = Object.values(manifest?.declared ?? {}).some((part) => part !== undefined);
  const inFile = languageServersIn(jsonOf(texts.get(languageServerFile)));
  const named = manifest?.languageServers ?? [];
  return {
    ...(readme === undefined ? {} : { readme }),
    version: manifest?.about.version ?? null,
    description: manifest?.about.description ?? null,
    author: manifest?.about.author ?? null,
    hasParts: hasParts || declares,
    languageServers: [
      ...new Set([...named.filter((name) => !name.endsWith(languageServerFile)), ...inFile]),
    ],
  };
}

/** Undefined for what is no JSON, or too much of it. */
function jsonOf(text: string | undefined): unknown {
  if (text === undefined || excessOf(text, jsonLimits) !== null) return undefined;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return undefined;
  }
}
