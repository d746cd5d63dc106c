import { createHash } from 'node:crypto';

/** Longest name that every model server accepts. */
const maxNameLength = 64;
/** Prefix of every name. */
export const namePrefix = 'mcp__';
const usable = /^[A-Za-z0-9_-]{1,64}$/;
const markLength = 8;

/**
 * The name of a tool in the catalog: `mcp__<server>__<tool>`. A name that not every model server
 * accepts is made valid, with a hash of the original so that no two names become equal.
 */
export function catalogName(server: string, tool: string): string {
  const plain = `${namePrefix}${server}__${tool}`;
  if (usable.test(plain)) return plain;
  const start = plain.slice(0, maxNameLength - markLength - 1).replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return `${start}_${createHash('sha256').update(plain).digest('hex').slice(0, markLength)}`;
}
