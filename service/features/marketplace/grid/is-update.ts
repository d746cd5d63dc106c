import { compare, gt, valid } from 'semver';
import type { OfferedVersion } from '../../../contract/index.ts';
import { compareVersions, type Plugin, type PluginOrigin } from '../../plugins/index.ts';
import type { FoundEntry } from './find-entry.ts';

/** Whether the catalog has something newer: by version where both have one, else by what is pinned. */
export function isUpdate(found: FoundEntry, { manifest, origin }: Plugin): boolean {
  if (origin !== null) return isUpdateOf(origin, found);
  const offered = found.entry.manifest;
  return offered !== null && compareVersions(offered.version, manifest.version) === 'upgrade';
}

/** What the catalog has, beside what is installed; null where that cannot be told. */
export function comparisonOf(found: FoundEntry, plugin: Plugin): OfferedVersion['comparison'] {
  if (isUpdate(found, plugin)) return 'upgrade';
  const { manifest, origin } = plugin;
  const offered = found.entry.manifest?.version ?? found.entry.version;
  const held = valid(origin === null ? manifest.version : origin.version);
  if (offered === null || held === null) return null;
  if (origin !== null && offered === versionThen(origin)) return 'same';
  return compare(offered, held) < 0 ? 'downgrade' : 'same';
}

function isUpdateOf(origin: PluginOrigin, { source, entry }: FoundEntry): boolean {
  if (origin.sourceId !== source.id || origin.sourceUrl !== source.url) return false;
  const installedVersion = valid(origin.version);
  if (entry.version !== null && installedVersion !== null) {
    // The plugin's own manifest may lag behind what the catalog called it then.
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

/** What the entry of the catalog said when the plugin was installed. */
function versionThen({ raw }: PluginOrigin): string | null {
  return typeof raw['version'] === 'string' ? valid(raw['version']) : null;
}
