import { createHash, type Hash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { FileMentions } from './file-mentions.ts';
import { FileTree, inside, type TreeEntry } from './file-tree.ts';
import { namedPaths } from './named-paths.ts';
import type { PluginHook } from './plugin-hook.ts';

/** Changes when the same content is to be looked at again, because more of it counts. */
const form = 'trust-1';
/** Scripts are smaller; the rest of a longer file still counts, but is not searched for other files. */
const searchedBytes = 256 * 1024;
/** Of all commands, arguments and definitions together; with longer ones the whole plugin counts. */
const maxTextLength = 256 * 1024;
const blockBytes = 64 * 1024;

/**
 * What a person trusts, as the hex SHA-256 over the hooks as `parseHooks` gave them (unsupported ones
 * too), the definitions of the MCP servers, and the content of every file in `root` that they name or
 * that such a file speaks of. Named folders count with all that is in them, a named plugin root is the
 * whole plugin; a file that is not there counts as soon as it is. Links count by their text, and by
 * what they lead to in the plugin. The order of keys, hooks, servers and files makes no difference,
 * nor does where the plugin lies. What cannot be read makes every hash a new one, so that it is never
 * trusted. Throws `too_many_files` (kind `unprocessable`).
 */
export async function trustHash(root: string, brings: RunningParts): Promise<string> {
  return (await trustedContent(root, brings)).hash;
}

export interface RunningParts {
  hooks: readonly PluginHook[];
  mcpServers: readonly object[];
}

/** The same, with the paths of what counted, relative to the plugin. */
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

  /** One line for each entry that counts, in no order. */
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
    // `/` is the root of the disk; `./`, and what goes up and down again, is the plugin.
    if (inside(path) === '' && !path.startsWith('/')) this.#count(this.#tree.below(''));
    for (const entry of this.#tree.find(path)) {
      // What lies below a folder is counted with it.
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

/** Null when it cannot be read. Never waits for a pipe, never follows a link that came meanwhile. */
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

/** Every text anywhere in a value, keys too. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...textsIn(inner),
  ]);
}

/** JSON with its keys in order, and the plugin's folder by its name. */
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
