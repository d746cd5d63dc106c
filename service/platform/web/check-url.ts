import { isIP } from 'node:net';
import {
  allowedOf,
  isAllowed,
  refused,
  requireAllowedAddress,
  type NetworkPolicy,
} from './network-policy.ts';
import { addressKind } from './address-kind.ts';
import { msg } from '../../messages/index.ts';

/** Limit of DNS. */
const maxNameLength = 253;

const noAddress = msg('web.notAddress');

/** Ports of other protocols that a request could be abused for, from the fetch standard. */
const badPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/**
 * Parses an address and checks everything that needs no DNS. @throws HostError `address_refused` if
 * it is not http or https, contains credentials, has the port of another protocol, or is an IP
 * address or local name that the policy forbids
 */
export function checkUrl(text: string, networkPolicy: NetworkPolicy): URL {
  const url = URL.parse(text);
  if (!url) throw refused(noAddress);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refused(msg('web.addressScheme'));
  }
  if (url.username !== '' || url.password !== '') {
    throw refused(msg('web.addressCredentials'));
  }
  const host = hostOf(url);
  if (isIP(host) !== 0) requireAllowedAddress(host, portOf(url), host, networkPolicy);
  else if (isLocalhost(host)) localAddresses(url, networkPolicy);
  else if (host === '' || host.length > maxNameLength) throw refused(noAddress);
  requirePort(url, networkPolicy);
  return url;
}

/** Returns name or address of the server, without brackets and final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

export function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/**
 * Returns the addresses of a localhost name, which never uses DNS (RFC 6761). @throws HostError
 * `address_refused` if the policy forbids all of them
 */
export function localAddresses(url: URL, networkPolicy: NetworkPolicy): string[] {
  const port = portOf(url);
  const loopback = allowedOf(networkPolicy).filter(
    ({ ip }) => addressKind(ip).range === 'loopback',
  );
  const allowed = loopback.filter((entry) => entry.port === port).map(({ ip }) => ip);
  const addresses = networkPolicy.loopback ? ['127.0.0.1', '::1'] : allowed;
  if (addresses.length === 0) requireAllowedAddress('127.0.0.1', port, hostOf(url), networkPolicy);
  return addresses;
}

export function isBadPort(port: number): boolean {
  return badPorts.has(port);
}

function requirePort(url: URL, networkPolicy: NetworkPolicy): void {
  const port = portOf(url);
  if (!isBadPort(port)) return;
  const host = hostOf(url);
  const allowed =
    isIP(host) === 0
      ? allowedOf(networkPolicy).some((entry) => entry.port === port)
      : isAllowed(host, port, networkPolicy);
  if (!allowed) throw badPort(port);
}

export function badPort(port: number): Error {
  return refused(msg('web.badPort', { port }));
}
