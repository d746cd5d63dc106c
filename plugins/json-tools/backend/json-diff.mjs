import { textOf } from './json-tree.mjs';
import { byKey, pointerTo, toValue } from './json-value.mjs';

/** @typedef {import('./json-tree.mjs').Node} Node */

/**
 * @typedef {{ path: string, kind: 'added', after: unknown }
 *   | { path: string, kind: 'removed', before: unknown }
 *   | { path: string, kind: 'changed', before: unknown, after: unknown }} Change `path` is a JSON Pointer
 */

/** The most changes that a page can show. */
export const MAX_CHANGES = 10_000;

/**
 * Compares two trees. Ignores the order of keys, compares array items by position and numbers by
 * value (`1.0` equals `1`).
 * @param {Node} before
 * @param {Node} after
 * @returns {{ changes: Change[], truncated: boolean }}
 */
export function diffTrees(before, after) {
  /** @type {Change[]} */
  const changes = [];
  for (const change of differences(before, after, '')) {
    if (changes.length === MAX_CHANGES) return { changes, truncated: true };
    changes.push(change);
  }
  return { changes, truncated: false };
}

/**
 * @param {Node} before
 * @param {Node} after
 * @param {string} path
 * @returns {Generator<Change>}
 */
function* differences(before, after, path) {
  if (before.kind === 'object' && after.kind === 'object') {
    yield* memberDifferences(byKey(before.members), byKey(after.members), path);
  } else if (before.kind === 'array' && after.kind === 'array') {
    yield* itemDifferences(before.items, after.items, path);
  } else if (!sameLeaf(before, after)) {
    yield { path, kind: 'changed', before: toValue(before), after: toValue(after) };
  }
}

/**
 * @param {Node[]} before
 * @param {Node[]} after
 * @param {string} path
 * @returns {Generator<Change>}
 */
function* itemDifferences(before, after, path) {
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const [old, now] = [before[index], after[index]];
    const here = pointerTo(path, index);
    if (old && now) yield* differences(old, now, here);
    else if (old) yield { path: here, kind: 'removed', before: toValue(old) };
    else if (now) yield { path: here, kind: 'added', after: toValue(now) };
  }
}

/**
 * @param {Map<string, Node>} before
 * @param {Map<string, Node>} after
 * @param {string} path
 * @returns {Generator<Change>}
 */
function* memberDifferences(before, after, path) {
  for (const [key, value] of before) {
    const here = pointerTo(path, key);
    const other = after.get(key);
    if (other) yield* differences(value, other, here);
    else yield { path: here, kind: 'removed', before: toValue(value) };
  }
  for (const [key, value] of after) {
    if (!before.has(key))
      yield { path: pointerTo(path, key), kind: 'added', after: toValue(value) };
  }
}

/**
 * @param {Node} before
 * @param {Node} after
 */
function sameLeaf(before, after) {
  if (before.kind !== after.kind || !('raw' in before) || !('raw' in after)) return false;
  if (before.raw === after.raw) return true;
  if (before.kind === 'string') return textOf(before.raw) === textOf(after.raw);
  return before.kind === 'number' && decimal(before.raw) === decimal(after.raw);
}

/**
 * Returns the same text for every spelling of a number, without rounding.
 * @param {string} raw
 */
function decimal(raw) {
  const [mantissa = '', exponent = '0'] = raw.toLowerCase().split('e');
  const negative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === '0') start++;
  if (start === digits.length) return '0';
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const shift = Number(exponent) - fraction.length + (digits.length - end);
  return `${negative ? '-' : ''}${digits.slice(start, end)}e${shift}`;
}
