import { isObject } from '../../../core/is-object.ts';
import { readBody } from '../../../platform/archives/archive-bodies.ts';
import type { ArchiveEntry } from '../../../platform/archives/archive-entry.ts';
import { withArchive } from '../../../platform/archives/archive-file.ts';
import { readIndex } from '../../../platform/archives/archive-index.ts';
import { maxManifestBytes } from './package-manifest.ts';
import { packageRules } from './package-rules.ts';

/** Formats of other programs: an MCP bundle (`.mcpb`), or a zipped Claude Code plugin. */
export type ForeignKind = 'mcpb' | 'claude';

/**
 * Returns the format of an archive made for another program. Null for a package of this host, and
 * for an unreadable file: the package checks report the reason. The plugin kit uses the same logic
 * and converts the archive.
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

/** Returns the folder that contains everything, with a trailing slash; empty if there is none. */
function commonFolder(entries: readonly ArchiveEntry[]): string {
  const folder = /^(?!\.)[^/]+\//.exec(entries[0]?.name ?? '')?.[0] ?? '';
  return entries.every(({ name }) => name.startsWith(folder) || `${name}/` === folder)
    ? folder
    : '';
}
