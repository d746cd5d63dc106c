import type { PluginManifest } from '../../../contract/index.ts';
import { type CheckedPackage, extractPackage } from './package-archive.ts';
import type { PluginOrigin } from './plugin-record.ts';

/** A plugin that can be put in its place. */
export interface FreshPlugin {
  id: string;
  /** Fills a directory that does not exist yet. What it leaves when it throws is removed. */
  make(
    directory: string,
    signal?: AbortSignal,
  ): Promise<{ manifest: PluginManifest; origin: PluginOrigin | null }>;
}

export function freshPackage(checked: CheckedPackage): FreshPlugin {
  const { manifest } = checked;
  return {
    id: manifest.id,
    async make(directory, signal) {
      await extractPackage(checked, directory, signal);
      return { manifest, origin: null };
    },
  };
}
