import { setImmediate as soon } from 'node:timers/promises';
import { isWithin } from '../workspace.ts';
import { makeFolderAt, statAt } from './anchored.ts';
import { type BytePath, tryList, tryRealPath, tryStat, within } from './byte-path.ts';
import { gitFoldersIn, namedBy } from './git-folder.ts';
import type { WorkspaceWalk } from './workspace-walk.ts';

const maxInFolder = 5_000;
/** Between two moments in which others have their turn. */
const filesAtOnce = 500;

/** Something that decides what runs later. */
export interface ProtectedEntry {
  path: BytePath;
  /** Device and inode. */
  inode: string;
  /** Device, inode and time of its making: the same wherever it is moved to. */
  key: string;
  isLink: boolean;
}

export interface Survey {
  entries: ProtectedEntry[];
  /** Folders called `.git`, and repositories with other names. */
  repositories: ProtectedEntry[];
  /** These, those of submodules, and those of further work trees. */
  gitFolders: ReadonlySet<BytePath>;
}

export interface SurveyedPlace {
  root: BytePath;
  /** Not to be looked at. */
  hidden: readonly BytePath[];
}

/** Finds all that decides what runs later in a workspace. */
export async function survey(walk: WorkspaceWalk, place: SurveyedPlace): Promise<Survey> {
  const walked = await walk.walk(place.root, place.hidden);
  const gitFolders = walked.gitFolders.flatMap((path) => gitFoldersIn(path));
  const named = walked.gitFolders.flatMap((path) => namedBy(within(path, 'config'), place.root));
  const paths = new Set([...walked.names, ...gitFolders.flatMap(({ places }) => places), ...named]);
  return {
    entries: [...paths].flatMap((path) => entryOf(place.root, path)),
    repositories: walked.gitFolders.flatMap((path) => entryOf(place.root, path)),
    gitFolders: new Set(gitFolders.map(({ path }) => path)),
  };
}

/** Where a link is on the way there is nothing: a command may have put it there just now. */
export function entryOf(root: BytePath, path: BytePath): ProtectedEntry[] {
  const stat = statAt(root, path);
  if (stat === null) return [];
  const inode = `${stat.dev}:${stat.ino}`;
  return [{ path, inode, key: `${inode}:${stat.birthtimeNs}`, isLink: stat.isSymbolicLink() }];
}

/** Where there is no folder for hooks, one could be made: an empty one is there to be held. */
export function makeHookFolders({ repositories, entries }: Survey, root: BytePath): boolean {
  const existing = new Set(entries.map(({ path }) => path));
  const missing = repositories
    .map(({ path }) => within(path, 'hooks'))
    .filter((path) => !existing.has(path));
  for (const path of missing) makeFolderAt(root, path);
  return missing.length > 0;
}

/** Changes with everything in it, for what no mount holds. */
export function stampOf(path: BytePath): string {
  let latest = 0n;
  let files = 0;
  for (const { stat } of treeOf(path)) {
    files += 1;
    if (stat.ctimeNs > latest) latest = stat.ctimeNs;
  }
  return `${files}:${latest}`;
}

/** Where a link leads, when that is in the workspace. */
export function targetOf(path: BytePath, root: BytePath): BytePath | null {
  const target = tryRealPath(path);
  return target !== null && isWithin(target, root) && target !== root ? target : null;
}

/** Inodes of files that have names beside the one by which they were found. */
export function linkedInodes(entries: readonly ProtectedEntry[]): Set<bigint> {
  const inodes = new Set<bigint>();
  for (const { path } of entries)
    for (const { stat } of treeOf(path)) if (stat.isFile() && stat.nlink > 1n) inodes.add(stat.ino);
  return inodes;
}

/** Other names of such files. */
export async function namesOf(
  inodes: ReadonlySet<bigint>,
  { root, hidden }: SurveyedPlace,
): Promise<BytePath[]> {
  if (inodes.size === 0) return [];
  const found: BytePath[] = [];
  let looked = 0;
  for (const { path, stat } of treeOf(root, Infinity, hidden)) {
    if (stat.isFile() && inodes.has(stat.ino)) found.push(path);
    looked += 1;
    if (looked % filesAtOnce === 0) await soon();
  }
  return found;
}

function* treeOf(
  path: BytePath,
  max = maxInFolder,
  hidden: readonly BytePath[] = [],
): Generator<{ path: BytePath; stat: NonNullable<ReturnType<typeof tryStat>> }> {
  const waiting = [path];
  let count = 0;
  for (let one = waiting.pop(); one !== undefined && count < max; one = waiting.pop()) {
    const stat = tryStat(one);
    if (stat === null || hidden.includes(one)) continue;
    count += 1;
    yield { path: one, stat };
    if (stat.isDirectory()) for (const { name } of tryList(one)) waiting.push(within(one, name));
  }
}
