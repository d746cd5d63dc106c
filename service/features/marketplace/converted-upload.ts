import { link, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConvertedPackage } from '../../contract/index.ts';
import { wireText } from '../../messages/index.ts';
import { discardTree } from '../../platform/trees/remove-tree.ts';
import { checkChecksum, foreignKind, type KitProgram, type PackageFile } from '../plugins/index.ts';

/** Converts uploads of other formats to packages. */
export interface UploadConverter {
  kit: KitProgram;
  /** A folder that the next start empties. */
  staging: string;
}

/**
 * Calls `use` with the package to install: the file itself, or the converted MCP bundle or Claude
 * Code plugin. A claimed checksum is that of the uploaded file.
 * @throws HostError as `checkChecksum`; 400 `invalid_package`, 503 `kit_missing`
 */
export async function withPackage<T>(
  file: PackageFile,
  checksum: { claimed: string | undefined; required: boolean },
  { kit, staging }: UploadConverter,
  use: (packed: PackageFile, converted: ConvertedPackage | undefined) => Promise<T>,
): Promise<T> {
  checkChecksum(file.sha256, checksum);
  const kind = await foreignKind(file.path);
  if (kind === null) return use(file, undefined);
  await mkdir(staging, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(staging, 'convert-'));
  try {
    const named = join(work, 'upload.zip');
    await link(file.path, named).catch(() => symlink(file.path, named));
    const { file: path, sha256, carried, notCarried } = await kit.convert(named, work);
    const wire = (texts: typeof carried): ConvertedPackage['carried'] =>
      texts.map((text) => wireText('message', text));
    return await use(
      { path, sha256 },
      { kind, carried: wire(carried), notCarried: wire(notCarried) },
    );
  } finally {
    await discardTree(work);
  }
}
