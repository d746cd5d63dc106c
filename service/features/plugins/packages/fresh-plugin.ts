import type { PluginManifest } from '../../../contract/index.ts';
import { type CheckedPackage, extractPackage } from './package-archive.ts';
import { type PackageListing, type PluginOrigin, writeRecord } from './plugin-record.ts';

/** A plugin that is ready to be installed. */
export interface FreshPlugin {
  id: string;
  /** Fills a directory that does not exist yet. If it throws, the caller removes the directory. */
  make: (
    directory: string,
    signal?: AbortSignal,
  ) => Promise<{
    manifest: PluginManifest;
    origin: PluginOrigin | null;
    listing?: PackageListing;
  }>;
}

/** `listing`: the catalog that it comes from. */
export function freshPackage(checked: CheckedPackage, listing?: PackageListing): FreshPlugin {
  const { manifest } = checked;
  return {
    id: manifest.id,
    async make(directory, signal) {
      await extractPackage(checked, directory, signal);
      if (listing !== undefined) await writeRecord(directory, { listing });
      return { manifest, origin: null, listing };
    },
  };
}
