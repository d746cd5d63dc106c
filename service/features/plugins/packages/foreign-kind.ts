import { isObject } from '../../../core/is-object.ts';
import { readBody } from '../../../platform/archives/archive-bodies.ts';
import type { ArchiveEntry } from '../../../platform/archives/archive-entry.ts';
import { withArchive } from '../../../platform/archives/archive-file.ts';
import { readIndex } from '../../../platform/archives/archive-index.ts';
import { maxManifestBytes } from './package-manifest.ts';
import { packageRules } from './package-rules.ts';

/** Made for another program: an MCP bundle (`.mcpb`), or a zipped plugin of Claude Code. */
export type ForeignKind = 'mcpb' | 'claude';

/**
 * What an archive is that is no package of this host. Null for a package, and for what cannot be read:
 * the checks of packages say why. The plugin kit decides in the same way and converts it.
 */
export async function foreignKind(file: string): Promise<ForeignKind | null> {
  try {
    return await withArchive(file, async (archive) => {
      const { size } = await archive.stat();
      const { entries } = await readIndex(archive, size, packageRules);
      const root = commonFolder(entries);
      const find = (name: string): ArchiveEntry | undefined =>
        entries.find((entry) => entry.name === root + name && !entry.directory);
      const manifest = find('manifest.json');
      if (manifest === undefined)
        return find('.claude-plugin/plugin.json') === undefined ? null : 'claude';
      if (Math.max(manifest.sizeBytes, manifest.compressedBytes) > maxManifestBytes) return null;
      const value: unknown = JSON.parse((await readBody(archive, manifest)).toString('utf8'));
      const isBundle = isObject(value) && ('manifest_version' in value || 'dxt_version' in value);
      return isBundle && isObject(value['server']) ? 'mcpb' : null;
    });
  } catch {
    return null;
  }
}

/** The folder below which everything is, with its slash; empty where there is none. */
function commonFolder(entries: readonly ArchiveEntry[]): string {
  const folder = /^(?!\.)[^/]+\//.exec(entries[0]?.name ?? '')?.[0] ?? '';
  return entries.every(({ name }) => name.startsWith(folder) || `${name}/` === folder)
    ? folder
    : '';
}
