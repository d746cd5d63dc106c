import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib';
import type { ArchiveEntry } from './archive-entry.ts';
import { codeOf, rejectArchive } from './archive-problems.ts';
import { readFully } from './archive-reader.ts';
import { msg } from '../../messages/index.ts';

/** Entries up to this size are unpacked in memory; larger ones are streamed. In bytes. */
const maxWholeBytes = 2 * 1024 ** 2;
const chunkBytes = 128 * 1024;
/** The owner keeps the right to execute; others get no such right. */
const modeOf = ({ executable }: ArchiveEntry): number => (executable ? 0o744 : 0o644);
/** At most this many times `2 * maxWholeBytes` of memory is in use. */
const atOnce = 8;

/** The entries of an open archive to unpack. */
export interface Bodies {
  archive: FileHandle;
  entries: ArchiveEntry[];
  /**
   * Absolute path for the content of an entry; absent: the content is only checked. Folders must
   * exist.
   */
  targetOf?: (entry: ArchiveEntry) => string;
  signal?: AbortSignal;
}

/**
 * Unpacks every body and checks its size and CRC, eight at a time; writes those with a target. The
 * first failure stops the others and is thrown once none is running.
 */
export async function unpackBodies(bodies: Bodies): Promise<void> {
  const stop = new AbortController();
  const signal = bodies.signal ? AbortSignal.any([bodies.signal, stop.signal]) : stop.signal;
  const pendingEntries = bodies.entries.values();
  const work = async (): Promise<void> => {
    for (const entry of pendingEntries) {
      signal.throwIfAborted();
      const target = entry.directory ? undefined : bodies.targetOf?.(entry);
      await unpackBody(bodies.archive, entry, target, signal);
    }
  };
  const failures: unknown[] = [];
  const guarded = (): Promise<void> =>
    work().catch((error: unknown) => {
      failures.push(error);
      stop.abort(error);
    });
  await Promise.all(Array.from({ length: atOnce }, guarded));
  if (failures.length > 0) throw failures[0];
}

async function unpackBody(
  archive: FileHandle,
  entry: ArchiveEntry,
  target: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (Math.max(entry.sizeBytes, entry.compressedBytes) > maxWholeBytes) {
    await streamBody(archive, entry, target, signal);
    return;
  }
  const content = await readBody(archive, entry);
  if (target !== undefined) await writeFile(target, content, { flag: 'wx', mode: modeOf(entry) });
}

/** Returns the checked content of one entry. Only for entries known to be small. */
export async function readBody(archive: FileHandle, entry: ArchiveEntry): Promise<Buffer> {
  const packed = Buffer.allocUnsafe(entry.compressedBytes);
  if (!(await readFully(archive, packed, entry.dataOffset))) rejectBody(entry);
  const content = entry.deflated ? await inflateWhole(packed, entry) : packed;
  if (content.length !== entry.sizeBytes || crc32(content) !== entry.crc32) rejectBody(entry);
  return content;
}

/** Result of zlib with the option `info`, which its types lack. */
interface Inflated {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

async function inflateWhole(packed: Buffer, entry: ArchiveEntry): Promise<Buffer> {
  // One byte more than expected, so that zlib finishes at once and excess content is detected.
  const capacityBytes = entry.sizeBytes + 1;
  const options = {
    chunkSize: Math.max(capacityBytes, 64),
    maxOutputLength: capacityBytes,
    info: true,
  };
  const result = await new Promise<Inflated | undefined>((resolve) => {
    inflateRaw(packed, options, (error, answer) =>
      resolve(error === null ? (answer as unknown as Inflated) : undefined),
    );
  });
  if (result?.engine.bytesWritten !== packed.length) rejectBody(entry);
  return result.buffer;
}

async function streamBody(
  archive: FileHandle,
  entry: ArchiveEntry,
  target: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const output = target === undefined ? undefined : await open(target, 'wx', modeOf(entry));
  try {
    const packed = packedChunks(archive, entry);
    const take = (content: AsyncIterable<Buffer>): Promise<void> =>
      checkContent(content, entry, output);
    if (entry.deflated) {
      const inflate = createInflateRaw({ chunkSize: chunkBytes });
      await pipeline(packed, inflate, take, { signal });
      if (inflate.bytesWritten !== entry.compressedBytes) rejectBody(entry);
    } else {
      await pipeline(packed, take, { signal });
    }
  } catch (error) {
    if (isZlibError(error)) rejectBody(entry);
    throw error;
  } finally {
    await output?.close();
  }
}

async function* packedChunks(archive: FileHandle, entry: ArchiveEntry): AsyncGenerator<Buffer> {
  for (let done = 0; done < entry.compressedBytes; done += chunkBytes) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, entry.compressedBytes - done));
    if (!(await readFully(archive, chunk, entry.dataOffset + done))) rejectBody(entry);
    yield chunk;
  }
}

async function checkContent(
  content: AsyncIterable<Buffer>,
  entry: ArchiveEntry,
  output: FileHandle | undefined,
): Promise<void> {
  let sizeBytes = 0;
  let sum = 0;
  for await (const chunk of content) {
    sizeBytes += chunk.length;
    if (sizeBytes > entry.sizeBytes) rejectBody(entry);
    sum = crc32(chunk, sum);
    await output?.writeFile(chunk);
  }
  if (sizeBytes !== entry.sizeBytes || sum !== entry.crc32) rejectBody(entry);
}

function isZlibError(error: unknown): boolean {
  return codeOf(error)?.startsWith('Z_') === true;
}

function rejectBody(entry: ArchiveEntry): never {
  return rejectArchive(entry.name, msg('archive.damagedContent'));
}
