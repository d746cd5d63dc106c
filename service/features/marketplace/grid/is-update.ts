import { gt, valid } from 'semver';
import { compareVersions, type Plugin } from '../../plugins/index.ts';
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
  if (entry.version !== null && valid(origin.version) !== null) {
    return gt(entry.version, origin.version as string);
  }
  if (entry.source.form === 'git') {
    return entry.source.sha !== null && entry.source.sha !== origin.commit;
  }
  if (entry.source.form !== 'relative') return false;
  const tree = source.read?.trees[entry.source.path];
  return tree === undefined ? source.read?.commit !== origin.commit : tree !== origin.tree;
}
