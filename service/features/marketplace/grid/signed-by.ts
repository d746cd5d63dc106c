import type { MarketplacePlugin } from '../../../contract/index.ts';
import { fingerprintOf, isSignedBy, readPublicKey } from '../../plugins/index.ts';
import type { CatalogEntry } from '../catalogs/catalog.ts';
import type { Source } from '../sources/source-service.ts';
import { nameOf } from '../sources/source-view.ts';

/**
 * Returns the source whose key signed the package of an entry. Undefined if the source has no key,
 * or the signature is invalid; such a package is not installed.
 */
export function signedBy(
  source: Source,
  { name, version, source: from }: CatalogEntry,
): Pick<MarketplacePlugin, 'signedBy'> {
  if (from.form !== 'package' || source.publicKey === null) return {};
  const { sha256, signature } = from;
  const key = readPublicKey(source.publicKey);
  if (key === null || signature === undefined || sha256 === null || version === null) return {};
  if (!isSignedBy(key, { id: name, version, sha256 }, signature)) return {};
  return { signedBy: { name: nameOf(source), fingerprint: fingerprintOf(key) } };
}
