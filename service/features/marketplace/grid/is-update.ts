import { gt, valid } from 'semver';
import { compareVersions, type Plugin, type PluginOrigin } from '../../plugins/index.ts';
import type { FoundEntry } from './find-entry.ts';

/** Whether the catalog has something newer: by version where both have one, else by what is pinned. */
export function isUpdate({ source, entry }: FoundEntry, { manifest, origin }: Plugin): boolean {
  if (origin === null) {
    return (
      entry.manifest !== null &&
      compareVersions(entry.manifest.version, manifest.version) === 'upgrade'
    );
  }
  if (origin.sourceId !== source.id || origin.sourceUrl !== source.url) return false;
  const known = valid(origin.version);
  if (entry.version !== null && known !== null) {
    // The plugin's own manifest may lag behind what the catalog called it then.
    return gt(entry.version, known) && gt(entry.version, valid(versionThen(origin)) ?? known);
  }
  if (entry.source.form === 'git') {
    return entry.source.sha !== null && entry.source.sha !== origin.commit;
  }
  if (entry.source.form !== 'relative') return false;
  const tree = source.read?.trees[entry.source.path];
  return tree !== undefined && tree !== origin.tree;
}

/** What the entry of the catalog said when the plugin was installed. */
function versionThen({ raw }: PluginOrigin): string | null {
  return typeof raw['version'] === 'string' ? raw['version'] : null;
}
