import type { Readable } from 'node:stream';
import { HostError } from '../../../core/host-error.ts';
import { ArchiveWriter } from '../../../platform/archives/archive-writer.ts';
import { printable } from '../../../platform/archives/archive-problems.ts';
import { type Piece, plainPiecesOf } from '../../../platform/archives/folder-pieces.ts';
import { isSparse, maxSparseBytes } from '../../../platform/archives/sparse-files.ts';
import { openPlainFile, openPlainFolder } from '../../../platform/archives/plain-open.ts';
import type { Grant } from './grant.ts';
import { checkUnchanged, grantChanged } from './native-grants.ts';
import { msg, textOf } from '../../../messages/index.ts';

const maxNamed = 1_000;
/** The names are sent in a header before the archive starts. */
const maxPreviewed = 20;
const maxPieces = 100_000;
const listName = 'NOT-EXPORTED.txt';
const why = msg('plugins.notExported');

/** An export of a grant as a stream; the receiver closes `body`. */
export interface Export {
  body: Readable;
  fileName: string;
  contentType: string;
  /** At most 20 names of files that cannot be packed, as far as they are known in advance. */
  skipped: string[];
}

/**
 * Exports a single file as it is, also an output folder with exactly one file, unless `format` is
 * `zip`. Any other directory becomes a zip that is written while it is read, without links; it
 * contains a list of the files that could not be packed. The worker may still write there, so every
 * file is checked again when it is read.
 * @throws HostError 409 `grant_changed`, 413 `hollow_file`
 */
export async function exportGrant(grant: Grant, format?: 'zip'): Promise<Export> {
  const { kind, name, path, access } = grant;
  await checkUnchanged(grant);
  if (kind === 'file') return exportFile(path, name);
  if (!(await isPlainFolder(path))) throw grantChanged(name);
  const { only, skipped } = await preview(path);
  if (only !== null && access === 'write' && format !== 'zip')
    return exportFile(only.path, only.name);
  const writer = new ArchiveWriter();
  pack(path, writer).catch((error: unknown) => writer.fail(error));
  const fileName = `${name}.zip`;
  return { body: writer.output, fileName, contentType: 'application/zip', skipped };
}

async function exportFile(path: string, name: string): Promise<Export> {
  const handle = await openPlainFile(path);
  if (handle === null) throw grantChanged(name);
  const info = await handle.stat();
  if (isSparse(info) && info.size > maxSparseBytes) {
    await handle.close();
    throw tooSparse(name);
  }
  // A file that grows meanwhile might never end.
  const body = handle.createReadStream({ end: Math.max(0, info.size - 1) });
  return { body, fileName: name, contentType: 'application/octet-stream', skipped: [] };
}

/**
 * Zip archives use `/` only; readers treat a backslash as a separator and would place the file
 * elsewhere.
 */
const canBePacked = (name: string): boolean => !name.includes('\\');

/** Returns the only file if there is exactly one, and the files that cannot be packed. */
async function preview(folder: string): Promise<{ only: Piece | null; skipped: string[] }> {
  const skipped: string[] = [];
  const leave = (name: string): void => {
    if (skipped.length < maxPreviewed) skipped.push(printable(name) || '.');
  };
  let only: Piece | null = null;
  let pieces = 0;
  const listener = { onUnreadable: leave, onOther: leave };
  for await (const piece of plainPiecesOf(folder, listener)) {
    if (!canBePacked(piece.name)) leave(piece.name);
    pieces += 1;
    only = pieces === 1 && piece.kind === 'file' ? piece : null;
    if (pieces >= maxPieces || skipped.length >= maxPreviewed) break;
  }
  const isOnly = only !== null && !only.name.includes('/') && skipped.length === 0;
  return { only: isOnly ? only : null, skipped };
}

async function isPlainFolder(path: string): Promise<boolean> {
  const folder = await openPlainFolder(path).catch(() => null);
  await folder?.close();
  return folder !== null;
}

async function pack(folder: string, writer: ArchiveWriter): Promise<void> {
  const skipped = new SkippedNames();
  const listener = { onUnreadable: skipped.add, signal: writer.signal };
  for await (const { kind, path, name } of plainPiecesOf(folder, listener)) {
    const added = !canBePacked(name)
      ? false
      : kind === 'file'
        ? await writer.addFile(path, name, openPlainFile)
        : await writer.addDirectory(name);
    skipped.seen(name);
    if (!added) skipped.add(name);
  }
  const list = skipped.asFile();
  if (list) await writer.addBytes(Buffer.from(list.text), list.name);
  writer.end();
}

/** The archive itself lists the files it lacks, because the response has already started. */
class SkippedNames {
  private readonly names: string[] = [];
  private readonly taken = new Set<string>();
  private count = 0;

  readonly add = (name: string): void => {
    this.count += 1;
    if (this.names.length < maxNamed) this.names.push(printable(name) || '.');
  };

  seen(name: string): void {
    if (name.endsWith(listName)) this.taken.add(name);
  }

  asFile(): { name: string; text: string } | null {
    if (this.count === 0) return null;
    let name = listName;
    while (this.taken.has(name)) name = `_${name}`;
    const more = this.count - this.names.length;
    const rest = more > 0 ? [textOf(msg('plugins.notExportedMore', { count: more }))] : [];
    const lines = [textOf(why), '', ...this.names, ...rest, ''];
    return { name, text: lines.join('\n') };
  }
}

function tooSparse(name: string): HostError {
  return new HostError('too-large', 'hollow_file', msg('plugins.fileHollow', { name }));
}
