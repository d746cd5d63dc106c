import { diffTrees } from './json-diff.mjs';
import { findAll, parsePath, PathError } from './json-path.mjs';
import { JsonSyntaxError, parseTree, placeOf } from './json-tree.mjs';
import { pointerTo, toValue, walk } from './json-value.mjs';
import { writeTree } from './json-write.mjs';
import { badParams, createWorker } from './plugin-kit/worker.mjs';

/** @typedef {import('./plugin-kit/worker.mjs').Params} Params */

const MAX_TEXT_LENGTH = 8 * 1024 * 1024;
const MAX_INDENT = 8;
const MAX_DUPLICATES = 100;

createWorker()
  .method('format', (params) => {
    const options = { indent: indentOf(params), sortKeys: flag(params, 'sortKeys') };
    return { text: writeTree(tree(params, 'text'), options) };
  })
  .method('minify', (params) => {
    const source = text(params, 'text');
    const options = { indent: '', sortKeys: flag(params, 'sortKeys') };
    const short = writeTree(tree(params, 'text'), options);
    return { text: short, charactersBefore: source.length, charactersAfter: short.length };
  })
  .method('validate', (params) => validate(text(params, 'text')))
  .method('diff', (params) => {
    const { changes, truncated } = diffTrees(tree(params, 'before'), tree(params, 'after'));
    return { equal: changes.length === 0, changes, truncated };
  })
  .method('query', (params) => {
    const { matches, truncated } = query(tree(params, 'text'), params['path']);
    const found = matches.map(({ pointer, node }) => ({ path: pointer, value: toValue(node) }));
    return { matches: found, count: found.length, truncated };
  })
  .run();

/** @param {string} source */
function validate(source) {
  try {
    const root = parseTree(source);
    return { valid: true, type: typeOf(root), duplicateKeys: duplicateKeys(root, source) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { valid: false, error: { message: error.message, ...error.place } };
  }
}

/** @param {import('./json-tree.mjs').Node} node */
function typeOf(node) {
  if (node.kind !== 'literal') return node.kind;
  return node.raw === 'null' ? 'null' : 'boolean';
}

/**
 * Finds keys that occur twice in one object: valid, but nearly always a mistake.
 * @param {import('./json-tree.mjs').Node} root
 * @param {string} source
 */
function duplicateKeys(root, source) {
  /** @type {{ path: string, line: number, column: number }[]} */
  const found = [];
  walk(root, (node, pointer) => {
    if (node.kind !== 'object') return;
    const seen = new Set();
    for (const { key, offset } of node.members) {
      if (seen.has(key) && found.length < MAX_DUPLICATES) {
        const { line, column } = placeOf(source, offset);
        found.push({ path: pointerTo(pointer, key), line, column });
      }
      seen.add(key);
    }
  });
  return found;
}

/**
 * Returns JSON text. A string is used as it is; any other value is serialized.
 * @param {Params} params
 * @param {string} name
 */
function text(params, name) {
  const value = params[name];
  if (value === undefined) throw badParams(`'${name}' is missing.`);
  const given = typeof value === 'string' ? value : JSON.stringify(value);
  if (given.length <= MAX_TEXT_LENGTH) return given;
  throw badParams(`'${name}' is longer than 8 Mi characters. Split it and try its parts.`);
}

/**
 * @param {Params} params
 * @param {string} name
 */
function tree(params, name) {
  try {
    return parseTree(text(params, name));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column, offset } = error.place;
    const message = `'${name}' is not JSON: line ${line}, column ${column}: ${error.message}`;
    throw badParams(message, { input: name, line, column, offset, detail: error.message });
  }
}

/**
 * @param {import('./json-tree.mjs').Node} root
 * @param {unknown} path
 */
function query(root, path) {
  if (typeof path !== 'string') throw badParams("'path' must be a string such as $.items[0].");
  try {
    return findAll(root, parsePath(path));
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    throw badParams(error.message, { input: 'path', column: error.column });
  }
}

/** @param {Params} params */
function indentOf(params) {
  if (flag(params, 'tabs')) return '\t';
  const { indent = 2 } = params;
  if (Number.isInteger(indent) && Number(indent) >= 1 && Number(indent) <= MAX_INDENT) {
    return ' '.repeat(Number(indent));
  }
  throw badParams(`'indent' must be a whole number from 1 to ${MAX_INDENT}.`);
}

/**
 * @param {Params} params
 * @param {string} name
 */
function flag(params, name) {
  const { [name]: value = false } = params;
  if (typeof value === 'boolean') return value;
  throw badParams(`'${name}' must be true or false.`);
}
