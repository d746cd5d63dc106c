import { createHash } from 'node:crypto';
import type { PackageListing } from '../../plugins/index.ts';
import type { Source } from './source-service.ts';

/**
 * How a package remembers the catalog that it came from. The built-in one may move; of any other the
 * address counts, without being told to the plugin, which can read its own files.
 */
export function listingOf({ id, url, builtIn }: Source): PackageListing {
  const sourceKey = createHash('sha256')
    .update(builtIn ? 'built-in' : url)
    .digest('hex');
  return { sourceId: id, sourceKey };
}
