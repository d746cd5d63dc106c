import { type AddressRange, addressKind, sameAddress } from './address-kind.ts';
import { HostError } from '../../core/host-error.ts';
import type { HostText } from '../../messages/index.ts';

/** What one fetch may reach beside public addresses. */
export interface NetworkPolicy {
  /** This machine. */
  loopback: boolean;
  /** Everything that is neither public nor this machine: private networks, link-local, reserved. */
  private: boolean;
  /** `ip:port` of `host.web.allow`, `[::1]:9000` for IPv6: these pass whatever they are. */
  allow: readonly string[];
}

/** The reach of an address that nobody vouches for. */
export const publicOnly = (allow: readonly string[]): NetworkPolicy => ({
  loopback: false,
  private: false,
  allow,
});

const rangeNames: Record<AddressRange, string> = {
  public: 'a public network',
  loopback: 'this machine',
  unspecified: 'this machine (an unspecified address)',
  private: 'a private network',
  'link-local': 'a link-local network',
  cgnat: 'the inner network of a provider',
  special: 'a reserved network',
  '6to4': 'another network through 6to4',
  nat64: 'another network through NAT64',
  invalid: 'something that is no IP address',
};

/** @throws HostError `address_refused` unless `ip` may be reached; `host` is what the message calls it. */
export function requireAllowedAddress(
  ip: string,
  port: number,
  host: string,
  networkPolicy: NetworkPolicy,
): void {
  const { kind, range } = addressKind(ip);
  if (kind === 'public') return;
  if (range !== 'invalid' && (networkPolicy[kind] || isAllowed(ip, port, networkPolicy))) return;
  throw refused(
    `${host} leads to ${rangeNames[range]}, which is out of bounds here. Use a public address.`,
  );
}

/** Whether `host.web.allow` names exactly this. */
export function isAllowed(ip: string, port: number, networkPolicy: NetworkPolicy): boolean {
  const address = sameAddress(ip);
  return (
    address !== null &&
    allowedOf(networkPolicy).some(
      (entry) => entry.port === port && sameAddress(entry.ip) === address,
    )
  );
}

/** The addresses of `host.web.allow`, without brackets. */
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
