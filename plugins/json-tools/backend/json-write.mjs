/** @typedef {import('./json-tree.mjs').Node} Node */
/** @typedef {{ indent: string, sortKeys: boolean }} Layout an empty indent writes one line without spaces */

/**
 * Serializes a tree; keys, strings and numbers keep their spelling.
 * @param {Node} node
 * @param {Layout} layout
 * @param {string} [lineEnd] the start of a line at this depth
 * @returns {string}
 */
export function writeTree(node, layout, lineEnd = layout.indent === '' ? '' : '\n') {
  if ('raw' in node) return node.raw;
  const inner = lineEnd + layout.indent;
  let out = '';
  if (node.kind === 'array') {
    for (const item of node.items) {
      out += (out === '' ? inner : `,${inner}`) + writeTree(item, layout, inner);
    }
    return node.items.length === 0 ? '[]' : `[${out}${lineEnd}]`;
  }
  const colon = layout.indent === '' ? ':' : ': ';
  const members = layout.sortKeys ? node.members.toSorted(byKeyOrder) : node.members;
  for (const { rawKey, value } of members) {
    out += (out === '' ? inner : `,${inner}`) + rawKey + colon + writeTree(value, layout, inner);
  }
  return members.length === 0 ? '{}' : `{${out}${lineEnd}}`;
}

/**
 * @param {{ key: string }} a
 * @param {{ key: string }} b
 */
function byKeyOrder(a, b) {
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
}
