import { HostError } from '../../../core/host-error.ts';
import type { Git } from '../git/git.ts';
import type { FoundEntry } from '../grid/find-entry.ts';
import type { BuiltInSource } from '../sources/built-in-source.ts';
import { listingOf } from '../sources/listing-of.ts';
import { fromCatalogPackage } from './install-package.ts';
import { fromRepository } from './install-repository.ts';
import type { Report } from './operations.ts';
import type { FetchedPluginHandler } from './fetched-plugin.ts';
import { msg } from '../../../messages/index.ts';

/** Dependencies of fetching an entry, and the handler of its files. */
export interface EntryTools<T> {
  onFetched: FetchedPluginHandler<T>;
  builtIn: BuiltInSource;
  git: Git;
  staging: string;
  webAllow: readonly string[];
  requireChecksum: boolean;
}

/**
 * Fetches the files of an entry.
 * @throws HostError 409 `not_installable` synchronously; other errors reject
 */
export function fetchEntry<T>(
  id: string,
  { source, entry }: FoundEntry,
  tools: EntryTools<T>,
): (report: Report, signal: AbortSignal) => Promise<T> {
  const { builtIn, requireChecksum } = tools;
  const from = entry.source;
  if (from.form === 'none') throw new HostError('conflict', 'not_installable', from.reason);
  if (source.publicKey !== null && from.form !== 'package') throw unsigned();
  return (report, signal) => {
    if (from.form !== 'package')
      return fromRepository({ id, source, entry, requireChecksum }, tools, { report, signal });
    const trusted = source.builtIn && builtIn.isShipped(from.sha256);
    const sourceOrigin = source.read?.place ?? 'public';
    const { publicKey } = source;
    const listing = listingOf(source);
    const install = { id, source: from, sourceOrigin, trusted, publicKey, listing };
    return fromCatalogPackage({ ...install, requireChecksum }, tools, { report, signal });
  };
}

function unsigned(): HostError {
  const message = msg('store.notSignable');
  return new HostError('conflict', 'not_installable', message);
}
