/* eslint-disable no-restricted-syntax -- hundreds of calls that take microseconds each stand before every command: as promises they take ten times as long, and leave a command time to change what was looked at. Who makes many lets others have their turn. */
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
 * A path whose characters are its bytes: names need not be UTF-8, and one that is not must not be
 * passed over.
 */
export type BytePath = string & { readonly bytes: unique symbol };

export const bytePath = (path: string): BytePath =>
  Buffer.from(path, 'utf8').toString('latin1') as BytePath;

export const bufferOf = (path: BytePath): Buffer => Buffer.from(path, 'latin1');

/** As people read it, and as it is handed to other programs. */
export const textOf = (path: BytePath): string => bufferOf(path).toString('utf8');

export const within = (folder: BytePath, name: string): BytePath =>
  `${folder === '/' ? '' : folder}/${name}` as BytePath;

export const nameOf = (path: BytePath): string => path.slice(path.lastIndexOf('/') + 1);

export const folderOf = (path: BytePath): BytePath =>
  (path.slice(0, path.lastIndexOf('/')) || '/') as BytePath;

/** Null for what is not there, or cannot be read: a command may change everything at any moment. */
export function tryStat(path: BytePath): BigIntStats | null {
  return attempt(() => lstatSync(bufferOf(path), { bigint: true, throwIfNoEntry: false })) ?? null;
}

/** Null for what cannot be listed. */
export function listOf(path: BytePath): Dirent[] | null {
  return attempt(() => readdirSync(bufferOf(path), { encoding: 'latin1', withFileTypes: true }));
}

export const tryList = (path: BytePath): Dirent[] => listOf(path) ?? [];

/** File systems make a folder as large as what it lists, each in its own way. */
const hugeBytes = 256n * 1024n;

/**
 * The entries of a folder; a huge folder is read piece by piece and never held in memory as a whole.
 * Null where it cannot be listed.
 */
export function entriesOf(
  path: BytePath,
  { size }: Pick<BigIntStats, 'size'>,
): Iterable<Dirent> | null {
  if (size < hugeBytes) return listOf(path);
  const folder = attempt(() =>
    // It takes and gives bytes as the other calls do, unlike its types.
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

/** The beginning of a regular file. */
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
 * Where a path below `root` leads when every link on the way is followed, whether there is something
 * or not. Null for what is not below `root`.
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

/** The last one first. */
const namesOf = (path: string): string[] =>
  path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .reverse();

const isBelow = (root: BytePath, path: BytePath): boolean => `${path}/`.startsWith(`${root}/`);

/** Null for what is no link. */
const targetOf = (path: BytePath): string | null =>
  tryStat(path)?.isSymbolicLink() === true ? tryLink(path) : null;

/** For links that leave the folder and may come back to it by other links. */
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
