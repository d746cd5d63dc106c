import { type AddressRange, addressKind, sameAddress } from './address-kind.ts';
import { HostError } from '../../core/host-error.ts';

/** What one fetch may reach beside public addresses. */
export interface WebReach {
  /** This machine. */
  loopback: boolean;
  /** Everything that is neither public nor this machine: private networks, link-local, reserved. */
  private: boolean;
  /** `ip:port` of `host.web.allow`, `[::1]:9000` for IPv6: these pass whatever they are. */
  allow: readonly string[];
}

/** The reach of an address that nobody vouches for. */
export const publicOnly = (allow: readonly string[]): WebReach => ({
  loopback: false,
  private: false,
  allow,
});

const wordsOf: Record<AddressRange, string> = {
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
export function requireReach(ip: string, port: number, host: string, reach: WebReach): void {
  const { kind, range } = addressKind(ip);
  if (kind === 'public') return;
  if (range !== 'invalid' && (reach[kind] || isAllowed(ip, port, reach))) return;
  throw refused(
    `${host} leads to ${wordsOf[range]}, which is out of bounds here. Use a public address.`,
  );
}

/** Whether `host.web.allow` names exactly this. */
export function isAllowed(ip: string, port: number, reach: WebReach): boolean {
  const address = sameAddress(ip);
  return (
    address !== null &&
    allowedOf(reach).some((entry) => entry.port === port && sameAddress(entry.ip) === address)
  );
}

/** The addresses of `host.web.allow`, without brackets. */
export function allowedOf({ allow }: WebReach): { ip: string; port: number }[] {
  return allow.map((entry) => {
    const colon = entry.lastIndexOf(':');
    const ip = entry.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
    return { ip, port: Number(entry.slice(colon + 1)) };
  });
}

export function refused(message: string): HostError {
  return new HostError('invalid', 'address_refused', message);
}
