import { createHash } from 'node:crypto';

/** What every model server takes. */
const maxNameLength = 64;
/** Of every name. */
export const namePrefix = 'mcp__';
const usable = /^[A-Za-z0-9_-]{1,64}$/;
const markLength = 8;

/**
 * The name of a tool in the catalog: `mcp__<server>__<tool>`. Where that is no name that every model
 * server takes, it is made one, with a mark of what it was made from, so that no two become the same.
 */
export function catalogName(server: string, tool: string): string {
  const plain = `${namePrefix}${server}__${tool}`;
  if (usable.test(plain)) return plain;
  const start = plain.slice(0, maxNameLength - markLength - 1).replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return `${start}_${createHash('sha256').update(plain).digest('hex').slice(0, markLength)}`;
}
