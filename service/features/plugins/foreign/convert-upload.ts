import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Conversion } from '../../../contract/index.ts';
import { wireText } from '../../../messages/index.ts';
import type { PackageFile } from '../packages/accept-package.ts';
import { readForeignBundle } from './foreign-bundle.ts';
import { packForeign } from './pack-foreign.ts';

export interface ConversionPlaces {
  /** Where it is unpacked and packed. */
  staging: string;
  /** Folder of the plugin kit. */
  kit: string;
}

/**
 * Hands `use` a package: the file itself, or the one that it becomes where it is an MCP bundle or a
 * zipped plugin of Claude Code. What was made on the way is removed afterwards.
 */
export async function withConverted<T>(
  file: PackageFile,
  { staging, kit }: ConversionPlaces,
  use: (file: PackageFile, conversion: Conversion | undefined) => Promise<T>,
): Promise<T> {
  const work = await mkdtemp(join(staging, 'convert-'));
  try {
    const bundle = await readForeignBundle(file.path, work);
    if (bundle === null) return await use(file, undefined);
    const packed = await packForeign(bundle, { folder: work, kit });
    const conversion: Conversion = {
      from: bundle.kind,
      carried: packed.carried.map((text) => wireText('message', text)),
      notCarried: packed.notCarried.map((text) => wireText('message', text)),
    };
    return await use({ path: packed.file, sha256: packed.sha256 }, conversion);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
