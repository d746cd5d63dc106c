import { type AddressRange, addressKind, sameAddress } from './address-kind.ts';
import { HostError } from '../../core/host-error.ts';
import { type HostText, type Message, msg } from '../../messages/index.ts';

/** Addresses that a fetch can reach in addition to public ones. */
export interface NetworkPolicy {
  /** True if this machine can be reached. */
  loopback: boolean;
  /**
   * True for addresses that are neither public nor this machine: private networks, link-local,
   * reserved.
   */
  private: boolean;
  /** `ip:port` of `host.web.allow`, `[::1]:9000` for IPv6: always allowed. */
  allow: readonly string[];
}

/** The policy for an untrusted address. */
export const publicOnly = (allow: readonly string[]): NetworkPolicy => ({
  loopback: false,
  private: false,
  allow,
});

const refusals: Record<Exclude<AddressRange, 'public'>, (host: string) => Message> = {
  loopback: (host) => msg('web.rangeLoopback', { host }),
  unspecified: (host) => msg('web.rangeUnspecified', { host }),
  private: (host) => msg('web.rangePrivate', { host }),
  'link-local': (host) => msg('web.rangeLinkLocal', { host }),
  cgnat: (host) => msg('web.rangeProvider', { host }),
  special: (host) => msg('web.rangeReserved', { host }),
  '6to4': (host) => msg('web.range6to4', { host }),
  nat64: (host) => msg('web.rangeNat64', { host }),
  invalid: (host) => msg('web.rangeInvalid', { host }),
};

/**
 * @throws HostError `address_refused` unless the policy allows `ip`; `host` is its name in the
 * message
 */
export function requireAllowedAddress(
  ip: string,
  port: number,
  host: string,
  networkPolicy: NetworkPolicy,
): void {
  const { kind, range } = addressKind(ip);
  if (kind === 'public') return;
  if (range !== 'invalid' && (networkPolicy[kind] || isAllowed(ip, port, networkPolicy))) return;
  // Public ranges contain no addresses of another kind.
  throw refused(refusals[range === 'public' ? 'special' : range](host));
}

/** Returns true if `host.web.allow` contains exactly this address and port. */
export function isAllowed(ip: string, port: number, networkPolicy: NetworkPolicy): boolean {
  const address = sameAddress(ip);
  return (
    address !== null &&
    allowedOf(networkPolicy).some(
      (entry) => entry.port === port && sameAddress(entry.ip) === address,
    )
  );
}

/** Returns the addresses of `host.web.allow`, without brackets. */
export function allowedOf({ allow }: NetworkPolicy): { ip: string; port: number }[] {
  return allow.map((entry) => {
    const colon = entry.lastIndexOf(':');
    const ip = entry.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
    return { ip, port: Number(entry.slice(colon + 1)) };
  });
}

export function refused(message: HostText): HostError {
  return new HostError('invalid', 'address_refused', message);
}
