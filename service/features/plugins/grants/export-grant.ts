import type { Readable } from 'node:stream';
import { HostError } from '../../../core/host-error.ts';
import { ArchiveWriter } from '../../../platform/archives/archive-writer.ts';
import { printable } from '../../../platform/archives/archive-problems.ts';
import { plainPiecesOf } from '../../../platform/archives/folder-pieces.ts';
import { isHollow, maxHollowBytes } from '../../../platform/archives/hollow-files.ts';
import { openPlainFile, openPlainFolder } from '../../../platform/archives/plain-open.ts';
import type { Grant } from './grant.ts';
import { checkUnchanged, grantChanged } from './native-grants.ts';

const maxNamed = 1_000;
const listName = 'NOT-EXPORTED.txt';
const why =
  'These are not in the archive: their names are no text, they cannot be read, they lie too deep, ' +
  'they are almost only empty space, they changed meanwhile, or the archive is full.';

export interface Export {
  body: Readable;
  fileName: string;
  contentType: string;
}

/**
 * A directory as a zip that is written while it is read, without links; what else cannot be in it is
 * named in it. A file as it is. The worker may
 * still write there, so nothing is taken for what it was a moment ago.
 * @throws HostError 409 `grant_changed`, 413 `hollow_file`
 */
export async function exportGrant(grant: Grant): Promise<Export> {
  const { kind, name, path } = grant;
  await checkUnchanged(grant);
  if (kind === 'file') {
    const handle = await openPlainFile(path);
    if (handle === null) throw grantChanged(name);
    const info = await handle.stat();
    if (isHollow(info) && info.size > maxHollowBytes) {
      await handle.close();
      throw tooHollow(name);
    }
    // What is appended meanwhile could have no end.
    const body = handle.createReadStream({ end: Math.max(0, info.size - 1) });
    return { body, fileName: name, contentType: 'application/octet-stream' };
  }
  if (!(await isPlainFolder(path))) throw grantChanged(name);
  const writer = new ArchiveWriter();
  pack(path, writer).catch((error: unknown) => writer.fail(error));
  return { body: writer.output, fileName: `${name}.zip`, contentType: 'application/zip' };
}

async function isPlainFolder(path: string): Promise<boolean> {
  const folder = await openPlainFolder(path).catch(() => null);
  await folder?.close();
  return folder !== null;
}

async function pack(folder: string, writer: ArchiveWriter): Promise<void> {
  const leftOut = new LeftOut();
  const listener = { onUnreadable: leftOut.add, signal: writer.signal };
  for await (const { kind, path, name } of plainPiecesOf(folder, listener)) {
    const added =
      kind === 'file'
        ? await writer.addFile(path, name, openPlainFile)
        : await writer.addDirectory(name);
    leftOut.seen(name);
    if (!added) leftOut.add(name);
  }
  const list = leftOut.asFile();
  if (list) await writer.addBytes(Buffer.from(list.text), list.name);
  writer.end();
}

/** What is not in the archive is named in it: nobody else could be told. */
class LeftOut {
  private readonly names: string[] = [];
  private readonly taken = new Set<string>();
  private count = 0;

  readonly add = (name: string): void => {
    this.count += 1;
    if (this.names.length < maxNamed) this.names.push(printable(name) || 'the folder itself');
  };

  seen(name: string): void {
    if (name.endsWith(listName)) this.taken.add(name);
  }

  asFile(): { name: string; text: string } | null {
    if (this.count === 0) return null;
    let name = listName;
    while (this.taken.has(name)) name = `_${name}`;
    const more = this.count - this.names.length;
    const lines = [why, '', ...this.names, ...(more > 0 ? [`and ${more} more`] : []), ''];
    return { name, text: lines.join('\n') };
  }
}

function tooHollow(name: string): HostError {
  return new HostError(
    'too-large',
    'hollow_file',
    `${name} is almost only empty space and larger than 1 GiB, so it cannot be exported. ` +
      'Have the plugin write only what it needs.',
  );
}
