import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { HostError } from '../../../core/host-error.ts';
import { ArchiveWriter } from '../../../platform/archives/archive-writer.ts';
import { piecesOf } from '../../../platform/archives/folder-pieces.ts';
import type { Grant } from './grant.ts';

export interface Export {
  body: Readable;
  fileName: string;
  contentType: string;
}

/** A directory as a zip that is written while it is read, without links; a file as it is. */
export function exportGrant({ kind, name, path }: Grant): Export {
  if (kind === 'file') {
    const body = createReadStream(path);
    return { body, fileName: name, contentType: 'application/octet-stream' };
  }
  const writer = new ArchiveWriter();
  pack(path, writer).catch((error: unknown) => writer.fail(error));
  return { body: writer.output, fileName: `${name}.zip`, contentType: 'application/zip' };
}

async function pack(folder: string, writer: ArchiveWriter): Promise<void> {
  const unreadable = (name: string): never => {
    throw new HostError('unavailable', 'export_failed', `The folder ${name} cannot be read.`);
  };
  for await (const piece of piecesOf(folder, unreadable)) {
    if (piece.kind === 'file') await writer.addFile(piece.path, piece.name);
    else await writer.addDirectory(piece.name);
  }
  writer.end();
}
