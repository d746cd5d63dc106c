/**
 * Implements a small part of JSONPath (RFC 9535): `$`, `.key`, `['key']`, `["key"]`, `[n]` (`[-1]`
 * is the last), `[*]` and `..key`. No filters, slices, unions or `..*`.
 */
import { byKey, pointerTo, walk } from './json-value.mjs';

/** @typedef {import('./json-tree.mjs').Node} Node */

/**
 * @typedef {{ kind: 'key', key: string } | { kind: 'index', index: number } | { kind: 'all' }
 *   | { kind: 'descendants', key: string }} Step
 * @typedef {{ pointer: string, node: Node }} Match
 */

export const MAX_MATCHES = 10_000;
/** Several `..key` in one path can reach the same node in very many ways. */
const MAX_VISITS = 5_000_000;

const NAME = '[A-Za-z_\\u0080-\\uffff][\\w\\u0080-\\uffff]*';
const DESCENDANTS = new RegExp(`\\.\\.(${NAME})`, 'y');
const KEY = new RegExp(`\\.(${NAME})`, 'y');
const ALL = /\[\s*\*\s*\]/y;
const INDEX = /\[\s*(0|-?[1-9][0-9]{0,15})\s*\]/y;
const QUOTED = /\[\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/y;

/** The path has a syntax error or uses other parts of JSONPath. */
export class PathError extends Error {
  /**
   * @param {string} message
   * @param {number} column counts from 1
   */
  constructor(message, column) {
    super(message);
    this.name = 'PathError';
    this.column = column;
  }
}

/**
 * @param {string} path
 * @returns {Step[]}
 * @throws {PathError}
 */
export function parsePath(path) {
  const text = path.trim();
  if (!text.startsWith('$')) throw new PathError("A path starts with '$'.", 1);
  /** @type {Step[]} */
  const steps = [];
  let at = 1;
  while (at < text.length) {
    const found = stepAt(text, at);
    if (!found) {
      const column = at + 1;
      const known = ".key, ['key'], [n], [*] or ..key";
      throw new PathError(`Expected ${known} at column ${column} of the path.`, column);
    }
    steps.push(found.step);
    at = found.end;
  }
  return steps;
}

/**
 * @param {string} text
 * @param {number} at
 * @returns {{ step: Step, end: number } | null}
 */
function stepAt(text, at) {
  const match = (/** @type {RegExp} */ pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    return found && { groups: found, end: pattern.lastIndex };
  };
  const all = match(ALL);
  if (all) return { step: { kind: 'all' }, end: all.end };
  const index = match(INDEX);
  if (index) return { step: { kind: 'index', index: Number(index.groups[1]) }, end: index.end };
  const descendants = match(DESCENDANTS);
  if (descendants) {
    return {
      step: { kind: 'descendants', key: descendants.groups[1] ?? '' },
      end: descendants.end,
    };
  }
  const key = match(KEY);
  if (key) return { step: { kind: 'key', key: key.groups[1] ?? '' }, end: key.end };
  const quoted = match(QUOTED);
  if (!quoted) return null;
  const written = unquoted(quoted.groups[1] ?? quoted.groups[2] ?? '');
  return written === null ? null : { step: { kind: 'key', key: written }, end: quoted.end };
}

/**
 * Returns the value of a quoted key; null if an escape is not valid in JSON (except `\'`).
 * @param {string} written
 */
function unquoted(written) {
  const asJson = written.replace(/\\.|"/gs, (part) => {
    if (part === "\\'") return "'";
    return part === '"' ? '\\"' : part;
  });
  try {
    return /** @type {string} */ (JSON.parse(`"${asJson}"`));
  } catch {
    return null;
  }
}

/**
 * Returns every node that the steps lead to, in the order of the text.
 * @param {Node} root
 * @param {Step[]} steps
 * @returns {{ matches: Match[], truncated: boolean }}
 */
export function findAll(root, steps) {
  /** @type {Match[]} */
  const matches = [];
  const budget = { visits: MAX_VISITS };
  for (const match of follow({ pointer: '', node: root }, steps, budget)) {
    if (matches.length === MAX_MATCHES) return { matches, truncated: true };
    matches.push(match);
  }
  return { matches, truncated: false };
}

/**
 * @param {Match} from
 * @param {Step[]} steps
 * @param {{ visits: number }} budget
 * @returns {Generator<Match>}
 */
function* follow(from, steps, budget) {
  const [step, ...rest] = steps;
  if (!step) {
    yield from;
    return;
  }
  for (const next of stepFrom(from, step, budget)) yield* follow(next, rest, budget);
}

/**
 * @param {Match} from
 * @param {Step} step
 * @param {{ visits: number }} budget
 * @returns {Match[]}
 */
function stepFrom({ pointer, node }, step, budget) {
  if (step.kind === 'descendants') {
    /** @type {Match[]} */
    const found = [];
    const visit = (/** @type {Node} */ at, /** @type {string} */ here) => {
      if (budget.visits-- <= 0) throw new PathError('The path is too wide. Use fewer .. in it.', 1);
      found.push(...childNamed(at, here, step.key));
    };
    walk(node, visit, pointer);
    return found;
  }
  if (step.kind === 'key') return childNamed(node, pointer, step.key);
  if (node.kind === 'object' && step.kind === 'all') {
    const members = [...byKey(node.members)];
    return members.map(([key, value]) => ({ pointer: pointerTo(pointer, key), node: value }));
  }
  if (node.kind !== 'array') return [];
  const items = node.items.map((item, at) => ({ pointer: pointerTo(pointer, at), node: item }));
  if (step.kind === 'all') return items;
  const item = items.at(step.index);
  return item ? [item] : [];
}

/**
 * @param {Node} node
 * @param {string} pointer
 * @param {string} key
 * @returns {Match[]}
 */
function childNamed(node, pointer, key) {
  if (node.kind !== 'object') return [];
  const found = node.members.findLast((member) => member.key === key);
  return found ? [{ pointer: pointerTo(pointer, key), node: found.value }] : [];
}
