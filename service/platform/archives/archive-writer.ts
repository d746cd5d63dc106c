import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { isSparse, maxSparseBytes } from './sparse-files.ts';
import { openFile } from './plain-open.ts';

const chunkBytes = 256 * 1024;
/** Entries are held in memory until the end, and a larger archive cannot be read back. */
const maxEntries = 1_000_000;
const fileKind = 0o100000;

/** With the entries, which its types lack. */
type Zip = ZipFile & { entries: { state: number }[] };
const isWritten = ({ state }: { state: number }): boolean => state === 3;

/**
 * Writes a zip at the speed of the reader of `output`, one entry at a time, without buffering a
 * whole entry.
 */
export class ArchiveWriter {
  readonly output: Readable;
  private readonly zip = new ZipFile() as Zip;
  /**
   * Stored separately until the end, since yazl searches all its entries for each one that is added
   * or completed.
   */
  private readonly written: Zip['entries'] = [];
  private readonly ended = new AbortController();
  private reading: Readable | null = null;
  private entries = 0;
  private sparseBytes = 0;

  constructor() {
    this.output = this.zip.outputStream as unknown as Readable;
    this.output.once('close', () => {
      this.ended.abort();
      this.reading?.destroy();
    });
    this.output.on('error', () => undefined);
    this.zip.on('error', (error: Error) => this.fail(error));
  }

  /** Aborted when the output is closed. */
  get signal(): AbortSignal {
    return this.ended.signal;
  }

  /**
   * Adds the file with its current size: bytes appended meanwhile are omitted, truncated ones are
   * missing. False: the file does not exist or cannot be read, is sparse with a size of more than 1
   * GiB, or the archive has a million entries. Rejects if the output is closed. `opening` opens the
   * file at a path.
   */
  async addFile(
    path: string,
    name: string,
    opening: (path: string) => Promise<FileHandle | null> = openFile,
  ): Promise<boolean> {
    this.refuseClosed();
    if (this.entries >= maxEntries) return false;
    const handle = await opening(path);
    if (handle === null) return false;
    const info = await handle.stat();
    if (!info.isFile() || !this.acceptsSparse(info)) {
      await handle.close();
      return false;
    }
    const mode = fileKind | ((info.mode & 0o100) === 0 ? 0o600 : 0o700);
    const options = { mtime: info.mtime, mode };
    if (info.size === 0) {
      await handle.close();
      await this.addBytes(Buffer.alloc(0), name, options);
      return true;
    }
    const body = handle.createReadStream({
      start: 0,
      end: info.size - 1,
      highWaterMark: chunkBytes,
    });
    this.reading = body;
    this.countEntry();
    // The output may have been closed while the file was opened.
    if (this.output.destroyed) body.destroy();
    else this.zip.addReadStream(body, name, options);
    await finished(body).finally(() => (this.reading = null));
    return true;
  }

  async addBytes(
    content: Buffer,
    name: string,
    options: { mtime: Date; mode: number } = { mtime: new Date(), mode: fileKind | 0o600 },
  ): Promise<void> {
    this.refuseClosed();
    this.countEntry();
    this.zip.addBuffer(content, name, { ...options, compress: content.length > 0 });
    await this.drained();
  }

  /** False when the archive has a million entries. */
  async addDirectory(name: string): Promise<boolean> {
    this.refuseClosed();
    if (this.entries >= maxEntries) return false;
    this.countEntry();
    this.zip.addEmptyDirectory(name);
    await this.drained();
    return true;
  }

  end(): void {
    this.zip.entries = [...this.written, ...this.zip.entries];
    this.zip.end();
  }

  /** Ends the output with an error, so that it is not mistaken for a complete archive. */
  fail(error: unknown): void {
    this.output.destroy(error instanceof Error ? error : new Error(String(error)));
  }

  private countEntry(): void {
    this.entries += 1;
    const { entries } = this.zip;
    const open = entries.findIndex((entry) => !isWritten(entry));
    this.written.push(...entries.splice(0, open === -1 ? entries.length : open));
  }

  private acceptsSparse(info: Stats): boolean {
    if (!isSparse(info)) return true;
    if (this.sparseBytes + info.size > maxSparseBytes) return false;
    this.sparseBytes += info.size;
    return true;
  }

  private refuseClosed(): void {
    if (this.output.destroyed) throw new Error('Nobody reads the archive any more.');
  }

  private async drained(): Promise<void> {
    const target = this.output as unknown as Writable;
    if (!target.writableNeedDrain || target.destroyed) return;
    const stop = new AbortController();
    const { signal } = stop;
    await Promise.race([once(target, 'drain', { signal }), once(target, 'close', { signal })])
      .catch(() => undefined)
      .finally(() => stop.abort());
  }
}
