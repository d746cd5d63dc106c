import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise } from 'yauzl';
import { deflate } from './archive-entry.ts';
import { WindowedReader } from './archive-reader.ts';

const localHeaderBytes = 30;
const stored = 0;

/**
 * Reads one entry of a zip by its exact name, unpacking at most `maxBytes`. Null if there is no
 * such entry, it is larger, or the zip is damaged or encrypted. The other entries are neither
 * unpacked nor checked.
 */
export async function readEntry(
  archive: FileHandle,
  name: string,
  maxBytes: number,
): Promise<Buffer | null> {
  const { size } = await archive.stat();
  const reader = new WindowedReader(archive, size);
  try {
    const zip = await fromRandomAccessReaderPromise(reader, size, { autoClose: false });
    for await (const entry of zip.eachEntry())
      if (entry.fileName === name) return await bodyOf(reader, entry, maxBytes);
    return null;
  } catch {
    if (reader.diskError === undefined) return null;
    throw reader.diskError as Error;
  }
}

async function bodyOf(
  reader: WindowedReader,
  entry: Entry,
  maxBytes: number,
): Promise<Buffer | null> {
  const { compressedSize, uncompressedSize, compressionMethod } = entry;
  if (Math.max(compressedSize, uncompressedSize) > maxBytes) return null;
  const start = entry.relativeOffsetOfLocalHeader;
  const header = await reader.bytes(start, localHeaderBytes);
  if (!header) return null;
  const offset = start + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = await reader.bytes(offset, compressedSize);
  if (!packed || ![stored, deflate].includes(compressionMethod)) return null;
  const content =
    compressionMethod === stored
      ? packed
      : await promisify(inflateRaw)(packed, { maxOutputLength: Math.max(uncompressedSize, 1) });
  return crc32(content) === entry.crc32 ? content : null;
}
