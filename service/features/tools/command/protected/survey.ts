import { isWithin } from '../workspace.ts';
import { makeFolderAt, statAt } from './anchored.ts';
import type { Dirent } from 'node:fs';
import { type BytePath, entriesOf, resolveIn, tryStat, within } from './byte-path.ts';
import { gitFolderOf, gitLinkOf, namedBySettings } from './git-settings.ts';
import { createYielder } from './create-yielder.ts';
import type { Walked, WorkspaceWalk } from './workspace-walk.ts';

const maxInFolder = 5_000;

/** Something that decides what runs later. */
export interface ProtectedEntry {
  path: BytePath;
  /** Device and inode. */
  inode: string;
  /** Device, inode and time of its making: the same wherever it is moved to. */
  key: string;
  isLink: boolean;
  /** It may go, as what an installation of packages makes anew; it is looked at all the same. */
  isLoose: boolean;
}

/** The protected files and folders of a workspace before a command. */
export interface Survey {
  entries: ProtectedEntry[];
  /** Folders of repositories, with those of submodules and of further work trees. */
  repositories: ProtectedEntry[];
  gitFolders: ReadonlySet<BytePath>;
  /** False where something could not be looked into. */
  isWhole: boolean;
}

/** The folder to survey, as a path in bytes. */
export interface SurveyTarget {
  root: BytePath;
  /** Not to be looked at. */
  hidden: readonly BytePath[];
}

/**
 * Finds all that decides what runs later in a workspace.
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

/** With what settings name, and what links lead to. */
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
      // What holds the repository itself cannot be kept from a command.
      if (leadsTo !== null && !isWithin(path, leadsTo)) paths.add(leadsTo);
    }
    await pause();
  }
  // What is added on the way is gone through as well.
  for (const path of paths) {
    await pause();
    for (const link of tryStat(path)?.isSymbolicLink() === true ? [path] : walk.linksBelow(path)) {
      const target = resolveIn(root, link);
      if (target !== null && !isWithin(path, target)) paths.add(target);
    }
  }
  return paths;
}

/** Where a link is on the way there is nothing: a command may have put it there just now. */
export function entryOf(root: BytePath, path: BytePath): ProtectedEntry[] {
  const stat = statAt(root, path);
  if (stat === null) return [];
  const inode = `${stat.dev}:${stat.ino}`;
  const key = `${inode}:${stat.birthtimeNs}`;
  const isLoose = path.slice(root.length).split('/').includes('node_modules');
  return [{ path, inode, key, isLink: stat.isSymbolicLink(), isLoose }];
}

/** Where there is no folder for hooks, one could be made: an empty one is there to be held. */
export function makeHookFolders({ repositories, entries }: Survey, root: BytePath): boolean {
  const existing = new Set(entries.map(({ path }) => path));
  const missing = repositories
    .filter(({ path, isLoose }) => !isLoose && tryStat(within(path, 'commondir')) === null)
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

/** Leaves the folders of which all was seen. */
function nextOf(open: { folder: BytePath; entries: Iterator<Dirent> }[]): BytePath | null {
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const next = last.entries.next();
    if (next.done !== true) return within(last.folder, next.value.name);
    open.pop();
  }
  return null;
}
