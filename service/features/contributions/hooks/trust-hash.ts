import { createHash, type Hash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { FileMentions } from './file-mentions.ts';
import { FileTree, inside, type TreeEntry } from './file-tree.ts';
import { namedPaths } from './named-paths.ts';
import type { PluginHook } from './plugin-hook.ts';

/** Must change when more of the same content counts, so that it is reviewed again. */
const form = 'trust-1';
/**
 * Scripts are smaller; a longer file counts completely, but only its beginning is searched for
 * other files.
 */
const searchedBytes = 256 * 1024;
/**
 * Characters of all commands, arguments and definitions together; above it, the whole plugin
 * counts.
 */
const maxTextLength = 256 * 1024;
const blockBytes = 64 * 1024;

/**
 * Hashes the content that a person trusts, as hex SHA-256 over the hooks as `parseHooks` returned
 * them (unsupported ones, too), the definitions of the MCP servers, and the content of every file
 * in `root` that they or such files name. Named folders count with everything in them, a named
 * plugin root is the whole plugin, and a missing file counts once it exists. Links count by their
 * target, and by the entry they lead to in the plugin. The order of keys, hooks, servers and files
 * does not matter, nor does the location of the plugin. An unreadable entry makes every hash
 * different, so that it is never trusted.
 * @throws HostError 422 `too_many_files`
 */
export async function trustHash(root: string, brings: RunningParts): Promise<string> {
  return (await trustedContent(root, brings)).hash;
}

/** The parts of a plugin that can start processes. */
export interface RunningParts {
  hooks: readonly PluginHook[];
  mcpServers: readonly object[];
}

/** Like `trustHash`, with the paths that counted, relative to the plugin. */
export async function trustedContent(
  root: string,
  brings: RunningParts,
): Promise<{ hash: string; counted: string[] }> {
  const hooks = brings.hooks.map(
    ({ unsupportedReason: _reason, unsupportedReasonMessage: _message, ...hook }) => hook,
  );
  const texts = [
    ...hooks.map(({ command, args }) => [command, args]),
    ...brings.mcpServers,
  ].flatMap(textsIn);
  const hash = createHash('sha256');
  add(hash, [form]);
  for (const part of sorted(hooks.map((hook) => canonical(hook, root)))) add(hash, ['hook', part]);
  for (const part of sorted(brings.mcpServers.map((server) => canonical(server, root)))) {
    add(hash, ['server', part]);
  }
  const files = await new CountedFiles(root, await FileTree.read(root)).digests(texts);
  for (const line of sorted(files.map((file) => JSON.stringify(file)))) add(hash, ['file', line]);
  return { hash: hash.digest('hex'), counted: files.map(([path = '']) => path) };
}

class CountedFiles {
  readonly #root: string;
  readonly #tree: FileTree;
  readonly #counted = new Set<TreeEntry>();
  readonly #pending: TreeEntry[] = [];
  readonly #mentions: FileMentions;

  constructor(root: string, tree: FileTree) {
    this.#root = root;
    this.#tree = tree;
    this.#mentions = new FileMentions(tree);
  }

  /** One line per counted entry, unordered. */
  async digests(texts: readonly string[]): Promise<string[][]> {
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (length > maxTextLength) this.#count(this.#tree.below(''));
    for (const text of texts) {
      if (this.#isWhole()) break;
      for (const path of namedPaths(text, this.#root)) this.#name(path);
      for (const entry of this.#mentions.in(text, '')) this.#name(entry.path);
    }
    const lines: string[][] = [];
    for (let entry = this.#pending.pop(); entry !== undefined; entry = this.#pending.pop()) {
      lines.push(await this.#digest(entry));
    }
    return lines;
  }

  async #digest(entry: TreeEntry): Promise<string[]> {
    const { path, kind, target = '' } = entry;
    if (kind === 'link') this.#name(posix.join(posix.dirname(path), target));
    if (kind !== 'file' && kind !== 'unreadable') return [path, kind, target];
    const content = kind === 'file' ? await readContent(join(this.#root, path)) : null;
    if (content === null) return [path, 'unreadable', randomUUID()];
    if (!this.#isWhole() && !content.head.includes(0)) {
      const text = content.head.toString('utf8');
      for (const other of this.#mentions.in(text, posix.dirname(path))) this.#name(other.path);
    }
    return [path, kind, content.digest];
  }

  #name(path: string): void {
    // `/` is the root of the disk; `./`, or a path up and down again, is the plugin.
    if (inside(path) === '' && !path.startsWith('/')) this.#count(this.#tree.below(''));
    for (const entry of this.#tree.find(path)) {
      // Entries below a folder are counted with it.
      if (this.#counted.has(entry)) continue;
      this.#count(entry.kind === 'folder' ? [entry, ...this.#tree.below(entry.path)] : [entry]);
    }
  }

  #isWhole(): boolean {
    return this.#counted.size === this.#tree.entries.length;
  }

  #count(entries: readonly TreeEntry[]): void {
    for (const entry of entries) {
      if (this.#counted.has(entry)) continue;
      this.#counted.add(entry);
      this.#pending.push(entry);
    }
  }
}

/**
 * Null if it cannot be read. Does not wait for pipes and does not follow links that appear
 * meanwhile.
 */
async function readContent(file: string): Promise<{ digest: string; head: Buffer } | null> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(file, flags).catch(() => null);
  if (handle === null) return null;
  try {
    if (!(await handle.stat()).isFile()) return null;
    const hash = createHash('sha256');
    const head: Buffer[] = [];
    let position = 0;
    for (;;) {
      const { bytesRead, buffer } = await handle.read(
        Buffer.allocUnsafe(blockBytes),
        0,
        blockBytes,
        position,
      );
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      if (position < searchedBytes) head.push(buffer.subarray(0, bytesRead));
      position += bytesRead;
    }
    return { digest: hash.digest('hex'), head: Buffer.concat(head) };
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

/** All strings in a value, including keys. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...textsIn(inner),
  ]);
}

/** JSON with sorted keys, and with a placeholder for the plugin's folder. */
function canonical(value: unknown, root: string): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'string') return inner.replaceAll(root, '${HOST_PLUGIN_ROOT}');
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(sorted(Object.entries(inner), ([key]) => key));
  });
}

function sorted<T>(items: readonly T[], key: (item: T) => string = String): T[] {
  return [...items].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

function add(hash: Hash, parts: readonly string[]): void {
  hash.update(`${JSON.stringify(parts)}\n`);
}
