import type { Readable } from 'node:stream';
import { HostError } from '../../../core/host-error.ts';
import { ArchiveWriter } from '../../../platform/archives/archive-writer.ts';
import { plainPiecesOf } from '../../../platform/archives/folder-pieces.ts';
import { openPlainFile, openPlainFolder } from '../../../platform/archives/plain-open.ts';
import type { Grant } from './grant.ts';
import { checkUnchanged, grantChanged } from './native-grants.ts';

export interface Export {
  body: Readable;
  fileName: string;
  contentType: string;
}

/**
 * A directory as a zip that is written while it is read, without links; a file as it is. The worker may
 * still write there, so nothing is taken for what it was a moment ago.
 * @throws HostError 409 `grant_changed`
 */
export async function exportGrant(grant: Grant): Promise<Export> {
  const { kind, name, path } = grant;
  await checkUnchanged(grant);
  if (kind === 'file') {
    const handle = await openPlainFile(path);
    if (handle === null) throw grantChanged(name);
    const body = handle.createReadStream();
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
  const unreadable = (name: string): never => {
    throw new HostError('unavailable', 'export_failed', `The folder ${name} cannot be read.`);
  };
  for await (const { kind, path, name } of plainPiecesOf(folder, unreadable)) {
    if (kind === 'file') await writer.addFile(path, name, openPlainFile);
    else await writer.addDirectory(name);
  }
  writer.end();
}
