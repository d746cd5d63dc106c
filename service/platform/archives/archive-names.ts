import { type Message, msg } from '../../messages/index.ts';

const maxNameBytes = 1_024;
const maxSegmentBytes = 255;
const maxDepth = 32;

const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com\d|lpt\d)$/i;
/** What some system that the host runs on cannot have in a file name, and text that reads backwards. */
const unusable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}<>:"|?*]/u;

/** The name of an entry. Undefined: its bytes are not UTF-8, so programs would disagree about it. */
export function decodeName(raw: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    return undefined;
  }
}

/** Whether Windows takes this file name for a device, whatever its case or extension. */
function isDeviceName(segment: string): boolean {
  const base = segment.normalize('NFKC').split('.', 1)[0] ?? '';
  return deviceName.test(base.trimEnd());
}

/** Whether Windows would open something else than a file of exactly this name, or nothing. */
export function misleadsWindows(segment: string): boolean {
  return unusable.test(segment) || /[.\s]$/u.test(segment) || isDeviceName(segment);
}

/** Why an entry of this name cannot be unpacked on every system; undefined when it can. */
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

/** The parts of a path; a directory's closing slash makes none. */
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

/** Look-alikes such as full-width dots and slashes that some program might fold into the real ones. */
function compatibleFormProblem(name: string): Message | undefined {
  const folded = name.normalize('NFKC');
  if (folded === name) return undefined;
  const segments = folded.split(/[/\\]/);
  const leavesPath = segments.some((segment) => segment === '.' || segment === '..');
  if (leavesPath || segments.length !== name.split('/').length) {
    return msg('archive.lookAlikes');
  }
  return undefined;
}

/** Equal for names that some file system takes for the same: case, composition, invisible characters. */
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
  /** Named by an entry of its own, not only on the way to another. */
  listed: boolean;
  children: Map<string, Node>;
}

/** Every path of an archive as a tree, to find those that cannot exist beside each other on every disk. */
export class NameRegistry {
  readonly #root = node('', true);
  readonly #keyOf: (segment: string) => string;
  #size = 0;

  /** `keyOf` is equal for parts of paths that cannot exist beside each other. */
  constructor(keyOf: (segment: string) => string) {
    this.#keyOf = keyOf;
  }

  /** Files and directories so far, those included that no entry names. */
  get size(): number {
    return this.#size;
  }

  /** Enters `name` and the directories above it. Returns why it cannot be there, if so. */
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
