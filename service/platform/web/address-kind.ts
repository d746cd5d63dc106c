import { isIPv4, isIPv6 } from 'node:net';

export type AddressKind = 'public' | 'loopback' | 'private';
export type AddressRange =
  | 'public'
  | 'loopback'
  | 'unspecified'
  | 'private'
  | 'link-local'
  | 'cgnat'
  | 'special'
  | '6to4'
  | 'nat64'
  | 'invalid';

/** Classification of an IP address. */
export interface KindOfAddress {
  /** `loopback` is this machine, `private` everything else that is not public. */
  kind: AddressKind;
  range: AddressRange;
}

interface Range {
  first: bigint;
  /** Number of free low bits. */
  freeBits: bigint;
  range: AddressRange;
}

const blockedIpv4: readonly Range[] = (
  [
    ['0.0.0.0/8', 'unspecified'],
    ['10.0.0.0/8', 'private'],
    ['100.64.0.0/10', 'cgnat'],
    ['127.0.0.0/8', 'loopback'],
    ['169.254.0.0/16', 'link-local'],
    ['172.16.0.0/12', 'private'],
    ['192.0.0.0/24', 'special'],
    ['192.0.2.0/24', 'special'],
    ['192.88.99.0/24', '6to4'],
    ['192.168.0.0/16', 'private'],
    ['198.18.0.0/15', 'special'],
    ['198.51.100.0/24', 'special'],
    ['203.0.113.0/24', 'special'],
    ['224.0.0.0/4', 'special'],
    ['240.0.0.0/4', 'special'],
  ] as const
).map(([cidr, range]) => rangeOf(cidr, range));

const blockedIpv6: readonly Range[] = (
  [
    ['fc00::/7', 'private'],
    ['fe80::/10', 'link-local'],
    ['fec0::/10', 'private'],
    ['2001::/23', 'special'],
    ['2001:db8::/32', 'special'],
    ['3fff::/20', 'special'],
  ] as const
).map(([cidr, range]) => rangeOf(cidr, range));

/**
 * Everything that is allocated as public (RFC 4291); 64:ff9b:1::, 100::, ff00:: and future ranges
 * are outside.
 */
const publicIpv6 = rangeOf('2000::/3', 'public');

const mappedIpv4 = rangeOf('::ffff:0:0/96', 'special');

/** Addresses that embed an IPv4 address, and its offset in bits. */
const carriers = [
  { ...rangeOf('::/96', 'special'), shift: 0n },
  { ...rangeOf('::ffff:0:0:0/96', 'special'), shift: 0n },
  { ...rangeOf('64:ff9b::/96', 'nat64'), shift: 0n },
  { ...rangeOf('2002::/16', '6to4'), shift: 80n },
];

/**
 * Returns the kind of an IP address, in any of its forms, without brackets. Anything else is never
 * public.
 */
export function addressKind(ip: string): KindOfAddress {
  const address = parseAddress(ip);
  if (!address) return { kind: 'private', range: 'invalid' };
  return address.bits === 32 ? kindOfIpv4(address.value) : kindOfIpv6(address.value);
}

/**
 * Returns the same text for every form of an address, or null; an IPv4-mapped address becomes its
 * IPv4 address.
 */
export function sameAddress(ip: string): string | null {
  const address = parseAddress(ip);
  return address && `${address.bits}:${address.value.toString(16)}`;
}

function kindOfIpv4(value: bigint): KindOfAddress {
  return kindOfRange(blockedIpv4.find((range) => isIn(value, range))?.range ?? 'public');
}

function kindOfIpv6(value: bigint): KindOfAddress {
  if (value === 0n) return kindOfRange('unspecified');
  if (value === 1n) return kindOfRange('loopback');
  const carrier = carriers.find((range) => isIn(value, range));
  if (carrier) {
    const inside = kindOfIpv4((value >> carrier.shift) & 0xffff_ffffn);
    // A gateway that unwraps it would reach this machine.
    if (inside.kind === 'loopback') {
      return {
        kind: 'loopback',
        range: carrier.range === 'special' ? inside.range : carrier.range,
      };
    }
    return kindOfRange(carrier.range);
  }
  if (!isIn(value, publicIpv6)) {
    return kindOfRange(blockedIpv6.find((range) => isIn(value, range))?.range ?? 'special');
  }
  return kindOfRange(blockedIpv6.find((range) => isIn(value, range))?.range ?? 'public');
}

/** 0.0.0.0 and :: also reach this machine. */
function kindOfRange(range: AddressRange): KindOfAddress {
  if (range === 'public') return { kind: 'public', range };
  return { kind: range === 'loopback' || range === 'unspecified' ? 'loopback' : 'private', range };
}

function isIn(value: bigint, { first, freeBits }: Range): boolean {
  return value >> freeBits === first >> freeBits;
}

function rangeOf(cidr: string, range: AddressRange): Range {
  const [ip = '', length = ''] = cidr.split('/');
  const six = ip.includes(':');
  const bits = BigInt(length);
  return { first: six ? ipv6Value(ip) : ipv4Value(ip), freeBits: (six ? 128n : 32n) - bits, range };
}

function parseAddress(ip: string): { bits: 32 | 128; value: bigint } | null {
  // A zone names an interface, not another address.
  const [bare = ''] = ip.split('%');
  if (isIPv4(ip)) return { bits: 32, value: ipv4Value(ip) };
  if (!isIPv6(bare)) return null;
  const value = ipv6Value(bare);
  if (isIn(value, mappedIpv4)) return { bits: 32, value: value & 0xffff_ffffn };
  return { bits: 128, value };
}

function ipv4Value(ip: string): bigint {
  return ip.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function ipv6Value(ip: string): bigint {
  const [head = '', tail] = ip.split('::');
  const left = groupsOf(head);
  const right = groupsOf(tail ?? '');
  const missing = Array<bigint>(8 - left.length - right.length).fill(0n);
  return [...left, ...missing, ...right].reduce((value, group) => (value << 16n) | group, 0n);
}

function groupsOf(text: string): bigint[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [BigInt(`0x${part}`)];
    const value = ipv4Value(part);
    return [value >> 16n, value & 0xffffn];
  });
}
