import { isWithin } from '../workspace.ts';
import { makeFolderAt, statAt } from './anchored.ts';
import type { Dirent } from 'node:fs';
import { type BytePath, entriesOf, resolveIn, tryStat, within } from './byte-path.ts';
import { gitFolderOf, gitLinkOf, namedBySettings } from './git-settings.ts';
import { createYielder } from './create-yielder.ts';
import type { Walked, WorkspaceWalk } from './workspace-walk.ts';

const maxInFolder = 5_000;

/** A file or folder that decides what runs later. */
export interface ProtectedEntry {
  path: BytePath;
  /** Device and inode. */
  inode: string;
  /** Device, inode and creation time: unchanged wherever the entry is moved. */
  key: string;
  isLink: boolean;
  /** True if it may be removed, because package installation recreates it; it is still checked. */
  isLoose: boolean;
}

/** The protected files and folders of a workspace before a command. */
export interface Survey {
  entries: ProtectedEntry[];
  /** Git folders, including those of submodules and additional work trees. */
  repositories: ProtectedEntry[];
  gitFolders: ReadonlySet<BytePath>;
  /** False if something could not be read. */
  isWhole: boolean;
}

/** The folder to survey, as a path in bytes. */
export interface SurveyTarget {
  root: BytePath;
  /** Folders to skip. */
  hidden: readonly BytePath[];
}

/**
 * Finds all files in a workspace that decide what runs later.
 * @throws HostError `workspace_too_large`
 */
export async function survey(
  walk: WorkspaceWalk,
  { root, hidden }: SurveyTarget,
  maxFolders?: number,
): Promise<Survey> {
  const walked = await walk.walk(root, hidden, maxFolders);
  const paths = await pathsOf(walk, root, walked);
  return {
    entries: await entriesAt(root, paths),
    repositories: await entriesAt(root, walked.gitFolders),
    gitFolders: new Set(walked.gitFolders),
    isWhole: walked.isWhole,
  };
}

async function entriesAt(root: BytePath, paths: Iterable<BytePath>): Promise<ProtectedEntry[]> {
  const pause = createYielder();
  const found: ProtectedEntry[] = [];
  for (const path of paths) {
    found.push(...entryOf(root, path));
    await pause();
  }
  return found;
}

async function gitLinksIn(paths: readonly BytePath[]): Promise<Map<BytePath, BytePath>> {
  const pause = createYielder();
  const links = new Map<BytePath, BytePath>();
  for (const path of paths) {
    const target = gitLinkOf(path);
    if (target !== null) links.set(path, target);
    await pause();
  }
  return links;
}

/** Adds the paths that settings and links refer to. */
async function pathsOf(
  walk: WorkspaceWalk,
  root: BytePath,
  walked: Walked,
): Promise<Set<BytePath>> {
  const pause = createYielder();
  const paths = new Set(walked.paths);
  const links = await gitLinksIn(walked.paths);
  for (const path of walked.gitFolders) {
    for (const named of namedBySettings(gitFolderOf(path, links))) {
      const leadsTo = isWithin(named, root) ? resolveIn(root, named) : null;
      // A folder that contains the repository itself cannot be protected from a command.
      if (leadsTo !== null && !isWithin(path, leadsTo)) paths.add(leadsTo);
    }
    await pause();
  }
  // The loop also visits paths that it adds.
  for (const path of paths) {
    await pause();
    for (const link of tryStat(path)?.isSymbolicLink() === true ? [path] : walk.linksBelow(path)) {
      const target = resolveIn(root, link);
      if (target !== null && !isWithin(path, target)) paths.add(target);
    }
  }
  return paths;
}

/** A path through a link counts as missing: a command may have created the link just now. */
export function entryOf(root: BytePath, path: BytePath): ProtectedEntry[] {
  const stat = statAt(root, path);
  if (stat === null) return [];
  const inode = `${stat.dev}:${stat.ino}`;
  const key = `${inode}:${stat.birthtimeNs}`;
  const isLoose = path.slice(root.length).split('/').includes('node_modules');
  return [{ path, inode, key, isLink: stat.isSymbolicLink(), isLoose }];
}

/** Creates an empty folder for hooks if there is none, so that it can be held. */
export function makeHookFolders({ repositories, entries }: Survey, root: BytePath): boolean {
  const existing = new Set(entries.map(({ path }) => path));
  const missing = repositories
    .filter(({ path, isLoose }) => !isLoose && tryStat(within(path, 'commondir')) === null)
    .map(({ path }) => within(path, 'hooks'))
    .filter((path) => !existing.has(path));
  for (const path of missing) makeFolderAt(root, path);
  return missing.length > 0;
}

/**
 * Returns a stamp that changes with any content of the entry, for entries that no mount can hold.
 */
export function stampOf(path: BytePath): string {
  let latest = 0n;
  let files = 0;
  for (const { stat } of treeOf(path)) {
    files += 1;
    if (stat.ctimeNs > latest) latest = stat.ctimeNs;
  }
  return `${files}:${latest}`;
}

/** Returns the inodes of files with further hard links. */
export function linkedInodes(entries: readonly ProtectedEntry[]): Set<bigint> {
  const inodes = new Set<bigint>();
  for (const { path } of entries)
    for (const { stat } of treeOf(path)) if (stat.isFile() && stat.nlink > 1n) inodes.add(stat.ino);
  return inodes;
}

/** Finds the other names of such files. */
export async function namesOf(
  inodes: ReadonlySet<bigint>,
  { root, hidden }: SurveyTarget,
): Promise<BytePath[]> {
  if (inodes.size === 0) return [];
  const found: BytePath[] = [];
  const pause = createYielder();
  for (const { path, stat } of treeOf(root, Infinity, hidden)) {
    if (stat.isFile() && inodes.has(stat.ino)) found.push(path);
    await pause();
  }
  return found;
}

function* treeOf(
  root: BytePath,
  max = maxInFolder,
  hidden: readonly BytePath[] = [],
): Generator<{ path: BytePath; stat: NonNullable<ReturnType<typeof tryStat>> }> {
  const open: { folder: BytePath; entries: Iterator<Dirent> }[] = [];
  let path: BytePath | null = root;
  try {
    for (let count = 0; path !== null && count < max;) {
      const stat = hidden.includes(path) ? null : tryStat(path);
      if (stat !== null) {
        count += 1;
        yield { path, stat };
        if (stat.isDirectory())
          open.push({ folder: path, entries: (entriesOf(path, stat) ?? [])[Symbol.iterator]() });
      }
      path = nextOf(open);
    }
  } finally {
    for (const { entries } of open) entries.return?.();
  }
}

/** Drops the folders whose entries were all visited. */
function nextOf(open: { folder: BytePath; entries: Iterator<Dirent> }[]): BytePath | null {
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const next = last.entries.next();
    if (next.done !== true) return within(last.folder, next.value.name);
    open.pop();
  }
  return null;
}
