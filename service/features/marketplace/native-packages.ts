import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { requireChosen, type WasChosen } from '../../core/chosen-path.ts';
import { HostError } from '../../core/host-error.ts';
import type { PackageFile } from './package-upload.ts';
import { readSidecar } from './read-sidecar.ts';

const maxPackageBytes = 2 * 1024 ** 3;

/** A package on this machine that a person chose in the desktop, and the sidecar beside it. */
export async function nativePackage(
  path: string,
  wasChosen: WasChosen,
): Promise<{ file: PackageFile; claimed: string | undefined }> {
  requireChosen(wasChosen, path);
  const found = isAbsolute(path) ? await stat(path).catch(() => null) : null;
  if (!found?.isFile()) {
    throw new HostError('missing', 'unknown_file', 'There is no such file. Choose it again.');
  }
  if (found.size > maxPackageBytes) {
    throw new HostError('too-large', 'too_large', 'The package is larger than 2 GiB.');
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const claimed = await readSidecar(path);
  const file = { path, sha256: hash.digest('hex') };
  return { file, claimed };
}
