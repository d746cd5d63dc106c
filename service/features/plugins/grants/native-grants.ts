import { lstat, realpath } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import type { FileRef } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import type { Grant } from './grant.ts';
import { msg } from '../../../messages/index.ts';

/**
 * Grants a file or directory of the user in its place. Links in the path are resolved once, now.
 */
export async function nativeGrant({
  path,
  kind,
  access,
}: Pick<FileRef, 'kind' | 'access'> & { path: string }): Promise<Grant> {
  if (!isAbsolute(path) || path.includes('\0')) throw unknown();
  const real = await realpath(path).catch(() => null);
  const info = real === null ? null : await lstat(real, { bigint: true }).catch(() => null);
  if (real === null || info === null) throw unknown();
  const found = info.isDirectory() ? 'directory' : info.isFile() ? 'file' : 'other';
  if (found !== kind) throw new HostError('invalid', 'wrong_kind', wrongKind[found]);
  const size = kind === 'file' ? Number(info.size) : 0;
  const native = { device: info.dev, inode: info.ino };
  return { name: basename(real), kind, access, size, path: real, native };
}

/**
 * Checks that the granted file is still the same one: a folder that became a link leads elsewhere.
 * @throws HostError 409 `grant_changed`
 */
export async function checkUnchanged({ path, name, native }: Grant): Promise<void> {
  if (!native) return;
  const real = await realpath(path).catch(() => null);
  const info = await lstat(path, { bigint: true }).catch(() => null);
  if (real === path && info?.dev === native.device && info.ino === native.inode) return;
  throw grantChanged(name);
}

export function grantChanged(name: string): HostError {
  const message = msg('plugins.grantChanged', { name });
  return new HostError('conflict', 'grant_changed', message);
}

const wrongKind = {
  directory: msg('plugins.pathIsFolder'),
  file: msg('plugins.pathIsFile'),
  other: msg('plugins.pathIsOther'),
};

function unknown(): HostError {
  return new HostError('missing', 'unknown_path', msg('plugins.unknownPath'));
}
