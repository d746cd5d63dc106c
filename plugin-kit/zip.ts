import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** What an archive holds at `path`: a file of the disk, or bytes. */
export type ZipEntry = { path: string; file: string } | { path: string; bytes: Buffer };

const mode = 0o100644;

/**
 * DOS times have no zone, and the archive library writes the local one: a date made from local parts
 * gives the same bytes in every zone.
 */
const mtime = new Date(2020, 0, 1);

/**
 * Writes an archive whose bytes depend on nothing but its entries: sorted, one fixed time, mode 0644.
 * The file appears whole or not at all.
 * @returns the SHA-256 of the archive, in hex
 */
export async function writeZip(file: string, entries: readonly ZipEntry[]): Promise<string> {
  const zip = new ZipFile();
  const options = { mtime, mode, forceDosTimestamp: true };
  for (const entry of [...entries].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if ('bytes' in entry) zip.addBuffer(entry.bytes, entry.path, options);
    else zip.addFile(entry.file, entry.path, options);
  }
  zip.end();

  const hash = createHash('sha256');
  const tap = new PassThrough();
  tap.on('data', (chunk: Buffer) => hash.update(chunk));
  const partial = `${file}.${randomUUID()}.part`;
  zip.on('error', (error: Error) => tap.destroy(error));
  try {
    await pipeline(zip.outputStream, tap, createWriteStream(partial));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return hash.digest('hex');
}
