import { type HostText, type Message, msg, textOf as englishOf } from '../messages/index.ts';

/** A reference in the arguments of a step, such as `{{steps.0.result.id}}`. */
export interface Reference {
  /** The text of the reference without braces. */
  text: string;
  source: 'steps' | 'last' | 'node' | 'inputs' | 'item' | 'index';
  /** Index of the step, id of the node, or name of the input; empty for the others. */
  key: string;
  /** The names and indexes after the key. */
  path: string[];
}

/** A reference and its path in a value. */
export interface FoundReference {
  /** Names and indexes from the root of the value. */
  at: string[];
  reference: Reference;
}

/** A malformed reference, or one to a value that does not exist. */
export class ReferenceProblem extends Error {
  readonly at: readonly string[];
  readonly text: HostText;

  constructor(text: HostText, at: readonly string[] = []) {
    super(englishOf(text));
    this.text = text;
    this.at = at;
  }
}

/** Position of a value, which decides which references are allowed. */
export interface ReferenceScope {
  /** Allows `{{item}}` and `{{index}}`, an element of a list and its index. */
  element?: boolean;
}

const referenceStart = /^(?:steps\.|last\.result|node\.|inputs\.)/;
const head =
  /^(?:steps\.(?<step>\d{1,6})\.result|(?<last>last)\.result|node\.(?<node>[^.[\]{}\s]{1,200})\.result|inputs\.(?<input>[^.[\]{}\s]{1,200}))/;
const elementHead = /^(?<element>item|index)(?=[.[]|$)/;
const part =
  /^(?:\.(?<name>[^.[\]{}\s]{1,200})|\[(?<index>\d{1,9})\]|\["(?<quoted>[^"]{1,200})"\])/;
const braced = /\{\{([^{}]{1,2000})\}\}/g;
const mostDeep = 64;

/**
 * Parses a reference; null for any other text.
 * @throws ReferenceProblem for a text that starts like a reference but is malformed
 */
export function parseReference(
  text: string,
  { element = false }: ReferenceScope = {},
): Reference | null {
  const ofElement = element ? elementHead.exec(text) : null;
  if (ofElement === null && !referenceStart.test(text)) return null;
  const match = ofElement ?? head.exec(text);
  if (!match?.groups) throw new ReferenceProblem(notOne(text));
  const path: string[] = [];
  for (let rest = text.slice(match[0].length); rest !== '';) {
    const next = part.exec(rest);
    if (!next) throw new ReferenceProblem(notOne(text));
    path.push(next.slice(1).find((name) => name !== undefined) ?? '');
    rest = rest.slice(next[0].length);
  }
  return { text, ...rootIn(match.groups), path };
}

function rootIn({ step, last, node, input = '', element }: Record<string, string | undefined>): {
  source: Reference['source'];
  key: string;
} {
  if (element !== undefined) return { source: element === 'item' ? 'item' : 'index', key: '' };
  if (step !== undefined) return { source: 'steps', key: String(Number(step)) };
  if (last !== undefined) return { source: 'last', key: '' };
  if (node !== undefined) return { source: 'node', key: node };
  return { source: 'inputs', key: input };
}

const notOne = (text: string): Message => msg('reference.invalid', { text: text.slice(0, 100) });

/** The reference that makes up the whole text, with or without braces. */
function wholeReference(text: string, scope: ReferenceScope): Reference | null {
  const inside = /^\{\{([^{}]{1,2000})\}\}$/.exec(text)?.[1]?.trim();
  if (inside !== undefined) return parseReference(inside, scope);
  // Without braces, a sentence could start with the same word.
  return referenceStart.test(text) && head.test(text) && !/\s/.test(text)
    ? parseReference(text)
    : null;
}

/**
 * Returns every reference in a value, in document order.
 * @throws ReferenceProblem
 */
export function referencesIn(
  value: unknown,
  at: readonly string[] = [],
  scope: ReferenceScope = {},
): FoundReference[] {
  if (at.length > mostDeep) throw new ReferenceProblem(msg('reference.nestedTooDeeply'), at);
  if (typeof value === 'string') return located(at, () => inText(value, scope));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    referencesIn(inner, [...at, name], scope),
  );
}

function located(at: readonly string[], read: () => Reference[]): FoundReference[] {
  try {
    return read().map((reference) => ({ at: [...at], reference }));
  } catch (error) {
    if (error instanceof ReferenceProblem) throw new ReferenceProblem(error.text, at);
    throw error;
  }
}

function inText(text: string, scope: ReferenceScope): Reference[] {
  const whole = wholeReference(text, scope);
  if (whole) return [whole];
  return [...text.matchAll(braced)].flatMap(
    ([, inside = '']) => parseReference(inside.trim(), scope) ?? [],
  );
}

/**
 * Returns true for a text that is exactly one reference, so that it can be replaced by a value of
 * any type.
 */
export function isReference(text: string): boolean {
  return wholeReference(text, {}) !== null;
}

/**
 * Returns the value with each reference replaced by the result of `valueOf`. Inserted values are
 * not searched again, so a result that looks like a reference stays as it is.
 * @throws ReferenceProblem
 */
export function replaceReferences(
  value: unknown,
  valueOf: (reference: Reference) => unknown,
  scope: ReferenceScope = {},
): unknown {
  if (typeof value === 'string') return replaceInText(value, valueOf, scope);
  if (Array.isArray(value)) return value.map((one) => replaceReferences(one, valueOf, scope));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaceReferences(inner, valueOf, scope)]),
  );
}

function replaceInText(
  text: string,
  valueOf: (reference: Reference) => unknown,
  scope: ReferenceScope,
): unknown {
  const whole = wholeReference(text, scope);
  if (whole) return valueOf(whole);
  return text.replaceAll(braced, (all, inside: string) => {
    const reference = parseReference(inside.trim(), scope);
    return reference ? textOf(valueOf(reference)) : all;
  });
}

/** Returns a value as part of a text: strings unchanged, everything else as JSON. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

/**
 * Returns the value at the path of a reference; only own properties count.
 * @throws ReferenceProblem that names the missing part
 */
export function valueAt(value: unknown, { text, path }: Reference): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      throw new ReferenceProblem(
        msg('reference.standsForNothing', { text: text.slice(0, 200), name: name.slice(0, 100) }),
      );
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
