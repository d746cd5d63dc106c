/** @typedef {import('./json-tree.mjs').Node} Node */
/** @typedef {import('./json-tree.mjs').Member} Member */

/**
 * Returns the members by key. For duplicate keys the last one wins, as in JSON.parse.
 * @param {Member[]} members
 * @returns {Map<string, Node>}
 */
export const byKey = (members) => new Map(members.map(({ key, value }) => [key, value]));

/**
 * Converts a tree to a plain value. Numbers become doubles; one that is too large stays text.
 * @param {Node} node
 * @returns {unknown}
 */
export function toValue(node) {
  if (node.kind === 'object') {
    return Object.fromEntries(
      [...byKey(node.members)].map(([key, value]) => [key, toValue(value)]),
    );
  }
  if (node.kind === 'array') return node.items.map(toValue);
  const value = JSON.parse(node.raw);
  return typeof value === 'number' && !Number.isFinite(value) ? node.raw : value;
}

/**
 * Appends a step to a JSON Pointer (RFC 6901).
 * @param {string} pointer
 * @param {string | number} step
 */
export function pointerTo(pointer, step) {
  return `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * Visits every node, parents first.
 * @param {Node} node
 * @param {(node: Node, pointer: string) => void} visit
 * @param {string} [pointer]
 */
export function walk(node, visit, pointer = '') {
  visit(node, pointer);
  if (node.kind === 'array') {
    node.items.forEach((item, index) => walk(item, visit, pointerTo(pointer, index)));
  } else if (node.kind === 'object') {
    for (const { key, value } of node.members) walk(value, visit, pointerTo(pointer, key));
  }
}
