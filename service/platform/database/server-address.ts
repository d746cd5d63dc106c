import { isIPv6 } from 'node:net';

/** What could be read as another part of a JDBC URL stands in no name. */
const inDatabaseName = /^[^/\\?#;&%\p{Cc}\p{Cs}]+$/u;
const inHostName = /^[\p{L}\p{N}._-]+$/u;

/** The host as connections take it: an IPv6 address loses its brackets. Null where it is none. */
export function hostOf(text: string): string | null {
  const bare = /^\[(.*)\]$/.exec(text)?.[1];
  if (isIPv6(bare ?? text)) return bare ?? text;
  return inHostName.test(text) ? text : null;
}

export const isDatabaseName = (text: string): boolean =>
  inDatabaseName.test(text) && text.trim() === text;
