import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { requireChosen, type WasChosen } from '../../core/chosen-path.ts';
import { HostError } from '../../core/host-error.ts';
import { sha256Of } from '../../platform/sha256-of.ts';
import { maxPackageBytes, type PackageFile } from '../plugins/index.ts';
import { readSidecar } from './read-sidecar.ts';
import { msg } from '../../messages/index.ts';

/** A package on this machine that the user chose on the desktop, with the sidecar next to it. */
export async function nativePackage(
  path: string,
  wasChosen: WasChosen,
): Promise<{ file: PackageFile; claimed: string | undefined }> {
  requireChosen(wasChosen, path);
  const found = isAbsolute(path) ? await stat(path).catch(() => null) : null;
  if (!found?.isFile()) {
    throw new HostError('missing', 'unknown_file', msg('store.unknownFile'));
  }
  if (found.size > maxPackageBytes) {
    throw new HostError('too-large', 'too_large', msg('store.packageTooLarge'));
  }
  const file = { path, sha256: await sha256Of(path) };
  return { file, claimed: await readSidecar(path) };
}
