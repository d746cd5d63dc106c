import { createWriteStream } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { HostError } from '../../../core/host-error.ts';
import { asDiskProblem } from '../../../platform/archives/archive-problems.ts';
import { plainPiecesOf } from '../../../platform/archives/folder-pieces.ts';
import { openPlainFile } from '../../../platform/archives/plain-open.ts';
import { msg } from '../../../messages/index.ts';

const maxFiles = 100_000;
const maxBytes = 2 * 1024 ** 3;

/**
 * Copies a folder of the user safely while others may change it: links are not followed and pipes
 * not waited for. Refuses a folder that contains a link or anything but files and folders. Returns
 * the number of bytes copied.
 * @throws HostError 400 `not_plain`, 413 `too_large`; then `to` may contain a part
 */
export async function copyPlainFolder(from: string, to: string): Promise<number> {
  const root = await realpath(from);
  let size = 0;
  let count = 0;
  await mkdir(to, { recursive: true, mode: 0o700 });
  for await (const piece of plainPiecesOf(root, { onUnreadable: refuse, onOther: refuse })) {
    count += 1;
    const target = join(to, piece.name);
    await mkdir(piece.kind === 'file' ? dirname(target) : target, { recursive: true, mode: 0o700 });
    if (piece.kind === 'file') size += await copyFile(piece, target);
    if (count > maxFiles || size > maxBytes) throw tooLarge();
  }
  return size;
}

async function copyFile(
  { path, name }: { path: string; name: string },
  target: string,
): Promise<number> {
  const file = await openPlainFile(path);
  if (file === null) return refuse(name);
  try {
    const output = createWriteStream(target, { flags: 'wx', mode: 0o600 });
    await pipeline(file.createReadStream({ autoClose: false, end: maxBytes }), output);
    return output.bytesWritten;
  } catch (error) {
    throw asDiskProblem(error);
  } finally {
    await file.close();
  }
}

function refuse(name: string): never {
  throw new HostError(
    'invalid',
    'not_plain',
    name === '' ? msg('plugins.folderNotPlain') : msg('plugins.fileNotPlain', { name }),
  );
}

function tooLarge(): HostError {
  const message = msg('plugins.folderTooLarge', { count: maxFiles });
  return new HostError('too-large', 'too_large', message);
}
