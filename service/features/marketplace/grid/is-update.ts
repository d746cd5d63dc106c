import { compare, gt, valid } from 'semver';
import type { OfferedVersion } from '../../../contract/index.ts';
import { compareVersions, type Plugin, type PluginOrigin } from '../../plugins/index.ts';
import type { FoundEntry } from './find-entry.ts';

/**
 * True if the catalog has a newer plugin: by version if both have one, otherwise by the pinned
 * commit.
 */
export function isUpdate(found: FoundEntry, { manifest, origin }: Plugin): boolean {
  if (origin !== null) return isUpdateOf(origin, found);
  const offered = found.entry.manifest;
  return offered !== null && compareVersions(offered.version, manifest.version) === 'upgrade';
}

/** Compares the catalog with the installed plugin; null if that is not possible. */
export function comparisonOf(found: FoundEntry, plugin: Plugin): OfferedVersion['comparison'] {
  if (isUpdate(found, plugin)) return 'upgrade';
  const { manifest, origin } = plugin;
  const offered = found.entry.manifest?.version ?? found.entry.version;
  const installed = valid(origin === null ? manifest.version : origin.version);
  if (offered === null || installed === null) return null;
  if (origin !== null && offered === versionThen(origin)) return 'same';
  return compare(offered, installed) < 0 ? 'downgrade' : 'same';
}

function isUpdateOf(origin: PluginOrigin, { source, entry }: FoundEntry): boolean {
  if (origin.sourceId !== source.id || origin.sourceUrl !== source.url) return false;
  const installedVersion = valid(origin.version);
  if (entry.version !== null && installedVersion !== null) {
    // The version in the plugin's own manifest may be lower than the one in the catalog at that
    // time.
    return (
      gt(entry.version, installedVersion) &&
      gt(entry.version, versionThen(origin) ?? installedVersion)
    );
  }
  const { source: from } = entry;
  if (from.form === 'git') return from.sha !== null && from.sha !== origin.commit;
  if (from.form !== 'relative') return false;
  const tree = source.read?.trees[from.path];
  return tree !== undefined && tree !== origin.tree;
}

/** The version in the catalog when the plugin was installed. */
function versionThen({ raw }: PluginOrigin): string | null {
  return typeof raw['version'] === 'string' ? valid(raw['version']) : null;
}
