import type { BigIntStats, Dirent } from 'node:fs';
import { HostError } from '../../../../core/host-error.ts';
import {
  isFolderPointer,
  isProtectedName,
  protectedInGit,
} from '../../../../core/protected-names.ts';
import { openUpAt } from './anchored.ts';
import { type BytePath, entriesOf, tryStat, within } from './byte-path.ts';
import { createYielder } from './create-yielder.ts';
import { msg } from '../../../../messages/index.ts';

/** Names that identify a git folder. */
const ofRepository = new Set(['HEAD', 'objects', 'refs', 'commondir']);
const entriesAtOnce = 500;
/** A folder that changed just now may change again within the resolution of its timestamp. */
const settledNs = 50_000_000n;

/** The relevant entries of one folder. */
interface Listing {
  /** Detects whether the folder has changed. */
  stamp: string;
  folders: string[];
  links: string[];
  /** Entries with a protected name, including a `.git` that is not a folder. */
  names: string[];
  /** Entries whose name is protected inside a git folder. */
  namesInGit: string[];
  /** True if it is itself a git folder, whatever its name. */
  isRepository: boolean;
  hasHead: boolean;
}

/**
 * `parts` contains the folders of submodules or additional work trees; a `part` is one of them, or
 * on the path to one, because their names may contain slashes; `rebase` contains a list of
 * commands.
 */
type Kind = 'plain' | 'git' | 'parts' | 'part' | 'rebase';

/** Protected paths found in a walk through the workspace. */
export interface Walked {
  /** The protected paths. */
  paths: BytePath[];
  /** Git folders, including those of submodules and additional work trees. */
  gitFolders: BytePath[];
  /** False if something could not be read. */
  isWhole: boolean;
}

/**
 * Finds protected files at any depth. A folder is read again only if it has changed, and links are
 * not followed.
 */
export class WorkspaceWalk {
  private listings = new Map<BytePath, Listing>();

  /** @throws HostError `workspace_too_large` */
  async walk(root: BytePath, hidden: readonly BytePath[], maxFolders = Infinity): Promise<Walked> {
    const found: Walked = { paths: [], gitFolders: [], isWhole: true };
    const listings = new Map<BytePath, Listing>();
    const pending: [BytePath, Kind][] = [[root, 'plain']];
    const pause = createYielder();
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [folder, nameKind] = next;
      if (hidden.includes(folder)) continue;
      const listing = await this.listingOf(root, folder, pause);
      if (listing === null) found.isWhole = false;
      if (listing === null) continue;
      listings.set(folder, listing);
      if (listings.size > maxFolders) throw tooLarge(maxFolders);
      await pause();
      const kind = kindOf(listing, nameKind);
      if (kind === 'git') found.gitFolders.push(folder);
      for (const name of protectedIn(listing, kind)) found.paths.push(within(folder, name));
      for (const name of listing.folders)
        pending.push([within(folder, name), kindByName(name, kind)]);
    }
    this.listings = listings;
    return found;
  }

  /** The folders of the last walk. */
  get folders(): Iterable<BytePath> {
    return this.listings.keys();
  }

  /** Returns the links in a walked folder, at any depth. */
  linksBelow(path: BytePath): BytePath[] {
    const found: BytePath[] = [];
    const pending = [path];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const listing = this.listings.get(folder);
      for (const name of listing?.links ?? []) found.push(within(folder, name));
      for (const name of listing?.folders ?? []) pending.push(within(folder, name));
    }
    return found;
  }

  private async listingOf(
    root: BytePath,
    folder: BytePath,
    pause: () => Promise<void> | undefined,
  ): Promise<Listing | null> {
    const stat = tryStat(folder);
    if (!stat?.isDirectory()) return null;
    const isSettled = BigInt(Date.now()) * 1_000_000n - stat.ctimeNs > settledNs;
    const stamp = isSettled ? `${stat.dev}:${stat.ino}:${stat.mtimeNs}:${stat.ctimeNs}` : '';
    const before = this.listings.get(folder);
    if (before !== undefined && stamp !== '' && before.stamp === stamp) return before;
    const entries = entriesOf(folder, stat) ?? entriesWhenOpen(root, folder, stat);
    return entries && read(folder, stamp, entries, pause);
  }
}

/** A command may have removed the permission to read it, also for the host. */
const entriesWhenOpen = (
  root: BytePath,
  folder: BytePath,
  stat: BigIntStats,
): Iterable<Dirent> | null => (openUpAt(root, folder) ? entriesOf(folder, stat) : null);

function kindOf({ isRepository, hasHead, namesInGit }: Listing, nameKind: Kind): Kind {
  if (isRepository) return 'git';
  return nameKind === 'part' && (hasHead || namesInGit.length > 0) ? 'git' : nameKind;
}

function protectedIn({ names, namesInGit }: Listing, kind: Kind): string[] {
  if (kind === 'git') return [...names, ...namesInGit];
  const isList = (name: string): boolean => name.toLowerCase() === 'git-rebase-todo';
  return kind === 'rebase' ? [...names, ...namesInGit.filter(isList)] : names;
}

/** Returns the kind of a folder by its name and its parent, before it is read. */
function kindByName(name: string, parent: Kind): Kind {
  const key = name.toLowerCase();
  if (key === '.git') return 'git';
  if (parent === 'parts' || parent === 'part') return 'part';
  if (parent !== 'git') return 'plain';
  if (key === 'modules' || key === 'worktrees') return 'parts';
  return key === 'rebase-merge' || key === 'rebase-apply' ? 'rebase' : 'plain';
}

async function read(
  folder: BytePath,
  stamp: string,
  entries: Iterable<Dirent>,
  pause: () => Promise<void> | undefined,
): Promise<Listing> {
  const listing: Listing = {
    stamp,
    folders: [],
    links: [],
    names: [],
    namesInGit: [],
    isRepository: false,
    hasHead: false,
  };
  const found = new Set<string>();
  let count = 0;
  for (const entry of entries) {
    const { name } = entry;
    if (ofRepository.has(name)) found.add(name);
    if (entry.isDirectory()) listing.folders.push(name);
    if (entry.isSymbolicLink()) listing.links.push(name);
    const isProtected = isFolderPointer(folder, name)
      ? !entry.isDirectory()
      : isProtectedName(folder, name);
    if (isProtected) listing.names.push(name);
    if (protectedInGit.has(name.toLowerCase())) listing.namesInGit.push(name);
    count += 1;
    if (count % entriesAtOnce === 0) await pause();
  }
  listing.hasHead = found.has('HEAD');
  const isWhole = found.has('objects') && found.has('refs');
  listing.isRepository = listing.hasHead && (isWhole || found.has('commondir'));
  return listing;
}

function tooLarge(maxFolders: number): HostError {
  const message = msg('workspace.tooLarge', { limit: maxFolders });
  return new HostError('conflict', 'workspace_too_large', message);
}
