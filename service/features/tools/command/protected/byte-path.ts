/* eslint-disable no-restricted-syntax -- these calls take microseconds and run before every command: as promises they take ten times as long, and give a command time to change what was examined. Callers with many calls yield to other work. */
import {
  lstatSync,
  opendirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import type { BigIntStats, Dir, Dirent } from 'node:fs';

/**
 * A path whose characters are its bytes: names need not be valid UTF-8, and those that are not must
 * not be missed.
 */
export type BytePath = string & { readonly bytes: unique symbol };

export const bytePath = (path: string): BytePath =>
  Buffer.from(path, 'utf8').toString('latin1') as BytePath;

export const bufferOf = (path: BytePath): Buffer => Buffer.from(path, 'latin1');

/** Returns the path as text for people and other programs. */
export const textOf = (path: BytePath): string => bufferOf(path).toString('utf8');

export const within = (folder: BytePath, name: string): BytePath =>
  `${folder === '/' ? '' : folder}/${name}` as BytePath;

export const nameOf = (path: BytePath): string => path.slice(path.lastIndexOf('/') + 1);

export const folderOf = (path: BytePath): BytePath =>
  (path.slice(0, path.lastIndexOf('/')) || '/') as BytePath;

/**
 * Returns null for a missing or unreadable entry: a command may change everything at any moment.
 */
export function tryStat(path: BytePath): BigIntStats | null {
  return attempt(() => lstatSync(bufferOf(path), { bigint: true, throwIfNoEntry: false })) ?? null;
}

/** Returns null for a folder that cannot be listed. */
export function listOf(path: BytePath): Dirent[] | null {
  return attempt(() => readdirSync(bufferOf(path), { encoding: 'latin1', withFileTypes: true }));
}

export const tryList = (path: BytePath): Dirent[] => listOf(path) ?? [];

/** File systems report the size of a folder by its number of entries, each in its own way. */
const hugeBytes = 256n * 1024n;

/**
 * Yields the entries of a folder; a huge folder is read in pieces and never held in memory
 * completely. Returns null if it cannot be listed.
 */
export function entriesOf(
  path: BytePath,
  { size }: Pick<BigIntStats, 'size'>,
): Iterable<Dirent> | null {
  if (size < hugeBytes) return listOf(path);
  const folder = attempt(() =>
    // Accepts and returns bytes like the other calls, although its types do not say so.
    opendirSync(bufferOf(path) as unknown as string, {
      encoding: 'latin1' as BufferEncoding,
      bufferSize: 500,
    }),
  );
  return folder && piecesOf(folder);
}

function* piecesOf(folder: Dir): Generator<Dirent> {
  try {
    for (;;) {
      const entry = attempt(() => folder.readSync());
      if (entry === null) return;
      yield entry;
    }
  } finally {
    folder.closeSync();
  }
}

/** Returns the beginning of a regular file. */
export function tryRead(path: BytePath, maxBytes = 256 * 1024): string | null {
  const stat = tryStat(path);
  if (!stat?.isFile() || stat.size > BigInt(maxBytes)) return null;
  return attempt(() => readFileSync(bufferOf(path), 'latin1'));
}

export function tryLink(path: BytePath): string | null {
  return attempt(() => readlinkSync(bufferOf(path), 'latin1'));
}

function tryRealPath(path: BytePath): BytePath | null {
  return attempt(() => realpathSync(bufferOf(path), 'latin1') as BytePath);
}

const maxLinks = 40;

/**
 * Returns the target of a path below `root` with every link followed, whether or not it exists.
 * Null for a target that is not below `root`.
 */
export function resolveIn(root: BytePath, path: BytePath): BytePath | null {
  const pending = namesOf(path.slice(root.length));
  let current = root;
  for (let links = 0; pending.length > 0;) {
    const name = pending.pop() ?? '';
    if (name === '..' && current === root) return realPathIn(root, path);
    current = name === '..' ? folderOf(current) : within(current, name);
    const target = targetOf(current);
    if (target === null) continue;
    links += 1;
    const isAbsolute = target.startsWith('/');
    const leaves = isAbsolute && !isBelow(root, target as BytePath);
    if (leaves || links > maxLinks) return realPathIn(root, path);
    pending.push(...namesOf(isAbsolute ? target.slice(root.length) : target));
    current = isAbsolute ? root : folderOf(current);
  }
  return current;
}

/** Last name first. */
const namesOf = (path: string): string[] =>
  path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .reverse();

const isBelow = (root: BytePath, path: BytePath): boolean => `${path}/`.startsWith(`${root}/`);

/** Returns null for an entry that is not a link. */
const targetOf = (path: BytePath): string | null =>
  tryStat(path)?.isSymbolicLink() === true ? tryLink(path) : null;

/** Handles links that leave the folder and may lead back to it through other links. */
function realPathIn(root: BytePath, path: BytePath): BytePath | null {
  const real = tryRealPath(path);
  return real !== null && isBelow(root, real) ? real : null;
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
