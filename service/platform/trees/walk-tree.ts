import { constants, type Dirent } from 'node:fs';
import { type FileHandle, open, opendir } from 'node:fs/promises';
import { inParallel } from '../../core/in-parallel.ts';
import { below, longPathBytes } from './byte-paths.ts';

const entriesAtOnce = 64;
/** Node has four threads for file access; more visits would block other requests. */
const visitsAtOnce = 4;

/** Callbacks of a walk through a folder tree. Paths are bytes, since names may not be UTF-8. */
export interface TreeVisitor {
  /** Called before it is listed. */
  folder?: (path: Buffer) => Promise<void>;
  /** Called for everything except folders. `path` is valid until it resolves. */
  entry?: (path: Buffer, kind: Dirent<Buffer>) => Promise<void>;
  /** Called for a folder that cannot be listed; if absent, or if it throws, the walk ends. */
  unlisted?: (error: unknown) => void;
}

/** Base of paths: the root, or on Linux an open folder far below it. */
interface Anchor {
  path: Buffer;
  handle: FileHandle | null;
  /** Number of folders still to be visited from it. */
  users: number;
}

/**
 * Visits the folder `root` and everything below it, at any depth, with names that are not valid
 * text. No link is followed. For trees that do not change meanwhile.
 */
export async function walkTree(
  root: string,
  visitor: TreeVisitor,
  signal?: AbortSignal,
): Promise<void> {
  const walk = new Walk(visitor, signal);
  try {
    await walk.run(Buffer.from(root));
  } finally {
    await walk.close();
  }
}

class Walk {
  private readonly visitor: TreeVisitor;
  private readonly signal: AbortSignal | undefined;
  private readonly pending: { anchor: Anchor; path: Buffer }[] = [];
  private readonly open = new Set<FileHandle>();

  constructor(visitor: TreeVisitor, signal?: AbortSignal) {
    this.visitor = visitor;
    this.signal = signal;
  }

  async run(root: Buffer): Promise<void> {
    this.wait({ path: root, handle: null, users: 0 }, root);
    for (let next = this.pending.pop(); next; next = this.pending.pop()) {
      this.signal?.throwIfAborted();
      try {
        await this.visitor.folder?.(next.path);
        await this.list(await this.nearer(next));
      } catch (error) {
        if (this.signal?.aborted || !this.visitor.unlisted) throw error;
        this.visitor.unlisted(error);
      }
      await this.leave(next.anchor);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.open].map((handle) => handle.close()));
  }

  private wait(anchor: Anchor, path: Buffer): void {
    anchor.users += 1;
    this.pending.push({ anchor, path });
  }

  private async leave(anchor: Anchor): Promise<void> {
    anchor.users -= 1;
    if (anchor.users > 0 || anchor.handle === null) return;
    this.open.delete(anchor.handle);
    await anchor.handle.close();
  }

  /** Returns the folder itself as the anchor if its path is long. */
  private async nearer(folder: { anchor: Anchor; path: Buffer }) {
    if (folder.path.length <= longPathBytes || process.platform !== 'linux') return folder;
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    const handle = await open(folder.path, flags);
    this.open.add(handle);
    const path = Buffer.from(`/proc/self/fd/${handle.fd}`);
    return { anchor: { path, handle, users: 0 }, path };
  }

  private async list({ anchor, path }: { anchor: Anchor; path: Buffer }): Promise<void> {
    // Retained while it is listed, even if nothing below it is pending.
    anchor.users += 1;
    try {
      const some: Dirent<Buffer>[] = [];
      for await (const entry of await opendir(path, listing)) {
        this.signal?.throwIfAborted();
        const found = entry as unknown as Dirent<Buffer>;
        if (found.isDirectory()) this.wait(anchor, below(path, found.name));
        else if (some.push(found) === entriesAtOnce) await this.visit(path, some.splice(0));
      }
      await this.visit(path, some);
    } finally {
      await this.leave(anchor);
    }
  }

  private async visit(path: Buffer, some: readonly Dirent<Buffer>[]): Promise<void> {
    const { entry } = this.visitor;
    if (entry) await inParallel(some, visitsAtOnce, (one) => entry(below(path, one.name), one));
  }
}

const listing = { encoding: 'buffer', bufferSize: 1_024 } as unknown as { bufferSize: number };
