import { isIPv6 } from 'node:net';

/** Characters that could be read as another part of a JDBC URL are not allowed. */
const inDatabaseName = /^[^/\\?#;&%\p{Cc}\p{Cs}]+$/u;
const inHostName = /^[\p{L}\p{N}._-]+$/u;

/**
 * Returns the host as connections expect it: an IPv6 address without brackets. Null if it is
 * invalid.
 */
export function hostOf(text: string): string | null {
  const bare = /^\[(.*)\]$/.exec(text)?.[1];
  if (isIPv6(bare ?? text)) return bare ?? text;
  return inHostName.test(text) ? text : null;
}

export const isDatabaseName = (text: string): boolean =>
  inDatabaseName.test(text) && text.trim() === text;
