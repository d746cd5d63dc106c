import type { Dirent } from 'node:fs';
import { setImmediate as soon } from 'node:timers/promises';
import { HostError } from '../../../../core/host-error.ts';
import { isProtectedName } from '../../../../core/protected-names.ts';
import { type BytePath, nameOf, tryList, tryStat, within } from './byte-path.ts';

const maxFolders = 200_000;
/** Between two moments in which others have their turn. */
const foldersAtOnce = 200;
/** A folder that was changed just now may be changed again without its time telling. */
const settledNs = 50_000_000n;

/** What lies in one folder. */
interface Listing {
  /** By which it is told whether the folder is as it was. */
  stamp: string;
  folders: string[];
  /** With a protected name; a `.git` that is no folder is one of them. */
  names: string[];
  gitFolders: string[];
  /** It is the folder of a repository itself, whatever it is called. */
  isRepository: boolean;
}

export interface Walked {
  names: BytePath[];
  gitFolders: BytePath[];
}

/**
 * Finds what has a protected name at any depth. A folder is read again only when it has changed.
 * Links are not followed; `node_modules` is left out, since what lies there is run as it is.
 */
export class WorkspaceWalk {
  private listings = new Map<BytePath, Listing>();

  /** @throws HostError `workspace_too_large` */
  async walk(root: BytePath, hidden: readonly BytePath[]): Promise<Walked> {
    const found: Walked = { names: [], gitFolders: [] };
    const listings = new Map<BytePath, Listing>();
    const waiting = [root];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      const listing = hidden.includes(folder) ? null : this.listingOf(folder);
      if (listing === null) continue;
      listings.set(folder, listing);
      if (listings.size > maxFolders) throw tooLarge();
      if (listings.size % foldersAtOnce === 0) await soon();
      for (const name of listing.names) found.names.push(within(folder, name));
      for (const name of listing.gitFolders) found.gitFolders.push(within(folder, name));
      if (listing.isRepository) found.gitFolders.push(folder);
      for (const name of listing.folders) waiting.push(within(folder, name));
    }
    this.listings = listings;
    return found;
  }

  private listingOf(folder: BytePath): Listing | null {
    const stat = tryStat(folder);
    if (!stat?.isDirectory()) return null;
    const isSettled = BigInt(Date.now()) * 1_000_000n - stat.ctimeNs > settledNs;
    const stamp = isSettled ? `${stat.dev}:${stat.ino}:${stat.mtimeNs}:${stat.ctimeNs}` : '';
    const before = this.listings.get(folder);
    return before !== undefined && stamp !== '' && before.stamp === stamp
      ? before
      : read(folder, stamp);
  }
}

function read(folder: BytePath, stamp: string): Listing {
  const entries = tryList(folder);
  const has = (name: string): boolean => entries.some((entry) => entry.name === name);
  const isRepository = has('HEAD') && ((has('objects') && has('refs')) || has('commondir'));
  const listing: Listing = { stamp, folders: [], names: [], gitFolders: [], isRepository };
  for (const entry of entries) sort(folder, entry, listing);
  return listing;
}

function sort(folder: BytePath, entry: Dirent, listing: Listing): void {
  const { name } = entry;
  const isFolder = entry.isDirectory();
  if (name.toLowerCase() === '.git') (isFolder ? listing.gitFolders : listing.names).push(name);
  else if (isProtectedName(nameOf(folder), name)) listing.names.push(name);
  else if (isFolder && name !== 'node_modules' && !(listing.isRepository && name === 'objects'))
    listing.folders.push(name);
}

function tooLarge(): HostError {
  const message = `The workspace has more than ${maxFolders} folders: what decides what runs later cannot be kept from this command. Allow this very call, or choose a smaller workspace (workspaceDirectory).`;
  return new HostError('conflict', 'workspace_too_large', message);
}
