import { createHash } from 'node:crypto';

/** Model servers take no longer name. */
const maxNameLength = 64;
const markLength = 8;

/**
 * The name of a tool in the catalog: `mcp__<server>__<tool>`. Where that is no name that every model
 * server takes, it is made one, with a mark of what it was made from, so that no two become the same.
 */
export function catalogName(server: string, tool: string): string {
  const plain = `mcp__${server}__${tool}`;
  const safe = plain.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  if (safe === plain && plain.length <= maxNameLength) return plain;
  const mark = createHash('sha256').update(plain).digest('hex').slice(0, markLength);
  return `${safe.slice(0, maxNameLength - markLength - 1)}_${mark}`;
}
