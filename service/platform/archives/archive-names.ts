import { type Message, msg } from '../../messages/index.ts';

const maxNameBytes = 1_024;
const maxSegmentBytes = 255;
const maxDepth = 32;

const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com\d|lpt\d)$/i;
/**
 * Characters that some supported system forbids in file names, and characters that reverse the
 * direction of text.
 */
const unusable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}<>:"|?*]/u;

/**
 * Decodes the name of an entry. Undefined when it is not UTF-8, so programs would read it
 * differently.
 */
export function decodeName(raw: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    return undefined;
  }
}

/** Returns true if Windows treats this file name as a device, regardless of case and extension. */
function isDeviceName(segment: string): boolean {
  const base = segment.normalize('NFKC').split('.', 1)[0] ?? '';
  return deviceName.test(base.trimEnd());
}

/** Returns true if Windows would open a different file for this name, or none. */
export function misleadsWindows(segment: string): boolean {
  return unusable.test(segment) || /[.\s]$/u.test(segment) || isDeviceName(segment);
}

/**
 * Returns the reason why an entry of this name cannot be unpacked on every system; undefined if it
 * can.
 */
export function nameProblem(name: string): Message | undefined {
  if (name === '') return msg('archive.noName');
  if (Buffer.byteLength(name) > maxNameBytes)
    return msg('archive.nameTooLong', { limit: maxNameBytes });
  if (name.includes('\\')) return msg('archive.nameBackslash');
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return msg('archive.absolutePath');
  if (unusable.test(name)) return msg('archive.nameCharacter');
  const segments = segmentsOf(name);
  if (segments.length > maxDepth) return msg('archive.tooDeep', { limit: maxDepth });
  for (const segment of segments) {
    const problem = segmentProblem(segment);
    if (problem !== undefined) return problem;
  }
  return compatibleFormProblem(name);
}

/** Splits a path into its segments; the closing slash of a directory adds none. */
export function segmentsOf(name: string): string[] {
  return (name.endsWith('/') ? name.slice(0, -1) : name).split('/');
}

function segmentProblem(segment: string): Message | undefined {
  if (segment === '') return msg('archive.emptyPart');
  if (segment === '.' || segment === '..') return msg('archive.dotPart', { part: segment });
  if (Buffer.byteLength(segment) > maxSegmentBytes) {
    return msg('archive.partTooLong', { limit: maxSegmentBytes });
  }
  if (/[.\s]$/u.test(segment)) return msg('archive.partEnd');
  if (/^\s/u.test(segment)) return msg('archive.partStart');
  if (isDeviceName(segment)) return msg('archive.deviceName');
  return undefined;
}

/**
 * Look-alikes, such as full-width dots and slashes, that a program might convert to the real
 * characters.
 */
function compatibleFormProblem(name: string): Message | undefined {
  const folded = name.normalize('NFKC');
  if (folded === name) return undefined;
  const segments = folded.split(/[/\\]/);
  const hasDotSegment = segments.some((segment) => segment === '.' || segment === '..');
  if (hasDotSegment || segments.length !== name.split('/').length) {
    return msg('archive.lookAlikes');
  }
  return undefined;
}

/**
 * Returns the same key for names that a file system can treat as equal because of case, composition
 * or invisible characters.
 */
export function sameNameKey(segment: string): string {
  if (/^[\x20-\x7e]*$/.test(segment)) return segment.toLowerCase();
  return segment
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');
}

interface Node {
  spelling: string;
  directory: boolean;
  /** True for a path with an entry, false for a parent folder of one. */
  listed: boolean;
  children: Map<string, Node>;
}

/** Every path of an archive as a tree, which finds paths that conflict on some file system. */
export class NameRegistry {
  readonly #root = node('', true);
  readonly #keyOf: (segment: string) => string;
  #size = 0;

  /** @param keyOf returns the same key for segments that conflict with each other */
  constructor(keyOf: (segment: string) => string) {
    this.#keyOf = keyOf;
  }

  /** Number of files and directories so far, including directories without an entry. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds `name` and its parent directories. Returns the reason if they conflict with an earlier
   * path.
   */
  add(name: string): Message | undefined {
    const segments = segmentsOf(name);
    const last = segments.pop() ?? '';
    let parent = this.#root;
    for (const segment of segments) {
      const next = this.#enter(parent, segment, true);
      if (isMessage(next)) return next;
      parent = next;
    }
    const entry = this.#enter(parent, last, name.endsWith('/'));
    if (isMessage(entry)) return entry;
    if (entry.listed) return msg('archive.twice');
    entry.listed = true;
    return undefined;
  }

  #enter(parent: Node, segment: string, directory: boolean): Node | Message {
    const key = this.#keyOf(segment);
    const existing = parent.children.get(key);
    if (existing === undefined) {
      const fresh = node(segment, directory);
      parent.children.set(key, fresh);
      this.#size += 1;
      return fresh;
    }
    if (existing.spelling !== segment) {
      return msg('archive.differsInCase');
    }
    return existing.directory === directory ? existing : msg('archive.fileAndFolder');
  }
}

const isMessage = (found: Node | Message): found is Message => 'code' in found;

function node(spelling: string, directory: boolean): Node {
  return { spelling, directory, listed: false, children: new Map() };
}
