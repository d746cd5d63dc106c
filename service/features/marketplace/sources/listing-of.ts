import { createHash } from 'node:crypto';
import type { PackageListing } from '../../plugins/index.ts';
import type { Source } from './source-service.ts';

/**
 * How a package records its catalog. The built-in one may move; another one is identified by its
 * address, as a hash, since plugins can read their own files.
 */
export function listingOf({ id, url, builtIn }: Source): PackageListing {
  const sourceKey = createHash('sha256')
    .update(builtIn ? 'built-in' : url)
    .digest('hex');
  return { sourceId: id, sourceKey };
}
