import { HostError } from '../../../core/host-error.ts';
import { addressKind } from '../../../platform/web/address-kind.ts';
import { checkUrl } from '../../../platform/web/check-url.ts';
import { resolveAllowed } from '../../../platform/web/resolve-allowed.ts';
import type { NetworkPolicy } from '../../../platform/web/network-policy.ts';
import { msg } from '../../../messages/index.ts';

/** The network location of a source, which limits the addresses in its entries. */
export type SourceOrigin = 'file' | 'loopback' | 'private' | 'public';

/** For an address that the user entered, which may be anywhere. */
export async function sourceOriginOf(url: string, allow: readonly string[]): Promise<SourceOrigin> {
  if (url.startsWith('file:')) return 'file';
  const anywhere = { loopback: true, private: true, allow };
  const addresses = await resolveAllowed(checkUrl(url, anywhere), anywhere);
  const kinds = new Set(addresses.map(({ address }) => addressKind(address).kind));
  if (kinds.has('private')) return 'private';
  return kinds.has('loopback') ? 'loopback' : 'public';
}

/** For the source itself: its own location and public addresses. */
export const sourceNetworkPolicy = (
  origin: SourceOrigin,
  allow: readonly string[],
): NetworkPolicy => ({
  loopback: origin === 'loopback',
  private: origin === 'private',
  allow,
});

/**
 * For addresses in entries: files only from files, this machine only from this machine, and never
 * private networks.
 */
export const entryNetworkPolicy = (
  origin: SourceOrigin,
  allow: readonly string[],
): NetworkPolicy => ({
  loopback: origin === 'loopback',
  private: false,
  allow,
});

/** @throws HostError `address_refused` */
export function requireFileSource(origin: SourceOrigin): void {
  if (origin === 'file') return;
  throw new HostError('invalid', 'address_refused', msg('store.catalogPointsToFile'));
}
