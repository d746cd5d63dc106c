import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Content of an archive entry: a file on disk, or bytes. */
export type ZipEntry = { path: string; file: string } | { path: string; bytes: Buffer };

const plainMode = 0o100644;
const executableMode = 0o100755;
const ownerRuns = 0o100;

/**
 * DOS times have no zone and the archive library writes local time: a date made from local parts
 * gives the same bytes in every zone.
 */
const mtime = new Date(2020, 0, 1);

/**
 * Writes an archive whose bytes depend only on its entries: sorted, one fixed time, mode 0644, or
 * 0755 for a file that its owner may execute. The file appears complete or not at all.
 * @returns the SHA-256 of the archive, in hex
 */
export async function writeZip(file: string, entries: readonly ZipEntry[]): Promise<string> {
  const zip = new ZipFile();
  const options = { mtime, forceDosTimestamp: true };
  for (const entry of [...entries].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if ('bytes' in entry) zip.addBuffer(entry.bytes, entry.path, { ...options, mode: plainMode });
    else zip.addFile(entry.file, entry.path, { ...options, mode: await modeOf(entry.file) });
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

async function modeOf(file: string): Promise<number> {
  return ((await stat(file)).mode & ownerRuns) === 0 ? plainMode : executableMode;
}
