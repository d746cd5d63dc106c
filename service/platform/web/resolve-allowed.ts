import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { HostError } from '../../core/host-error.ts';
import { withTimeout } from '../../core/with-timeout.ts';
import { badPort, hostOf, isBadPort, isLocalhost, localAddresses, portOf } from './check-url.ts';
import { timedOut, unreachable } from './web-failure.ts';
import { isAllowed, requireAllowedAddress, type NetworkPolicy } from './network-policy.ts';
import { msg } from '../../messages/index.ts';

/** Limit of a name resolution, in ms. */
const lookupMs = 15_000;

/** A resolved IP address that the network policy allows. */
export interface CheckedAddress {
  address: string;
  family: 4 | 6;
}

/** Returns all addresses of a name; rejects or returns none for an unknown name. */
export type Lookup = (hostname: string) => Promise<readonly { address: string }[]>;

const bySystem: Lookup = (hostname) => systemLookup(hostname, { all: true });

/**
 * Resolves the addresses of a checked URL, once. A single forbidden address refuses them all, since
 * its resolver cannot be trusted. @throws HostError `address_refused`, or `unreachable` for an
 * unknown name
 */
export async function resolveAllowed(
  url: URL,
  networkPolicy: NetworkPolicy,
  lookup: Lookup = bySystem,
): Promise<CheckedAddress[]> {
  const host = hostOf(url);
  const port = portOf(url);
  const addresses = await addressesOf(url, networkPolicy, lookup);
  for (const address of addresses) {
    requireAllowedAddress(address, port, host, networkPolicy);
    if (isBadPort(port) && !isAllowed(address, port, networkPolicy)) throw badPort(port);
  }
  return addresses.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
}

async function addressesOf(
  url: URL,
  networkPolicy: NetworkPolicy,
  lookup: Lookup,
): Promise<string[]> {
  const host = hostOf(url);
  if (isIP(host) !== 0) return [host];
  if (isLocalhost(host)) return localAddresses(url, networkPolicy);
  const answers = await withTimeout(lookupMs, lookup(host), () => timedOut(host)).catch(
    (error: unknown) => {
      throw error instanceof HostError ? error : notFound(host, error);
    },
  );
  if (answers.length === 0) throw notFound(host, null);
  return [...new Set(answers.map(({ address }) => address))];
}

/**
 * Returns a lookup that always connects to the checked addresses. The name is still used for Host
 * and TLS.
 */
export function lookupOf(addresses: readonly CheckedAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function notFound(host: string, cause: unknown): HostError {
  const { code } = (cause ?? {}) as { code?: string };
  const message =
    code === 'EAI_AGAIN' ? msg('web.nameLookup', { host }) : msg('web.unknownServer', { host });
  return unreachable(message, cause);
}
