import { randomBytes } from 'node:crypto';
import { HostError } from '../../../../core/host-error.ts';
import { isFolderPointer, protectedInGit } from '../../../../core/protected-names.ts';
import { isWithin } from '../workspace.ts';
import { openEntry, type OpenEntry, makeLinkAt, renameAt } from './anchored.ts';
import { bytePath, type BytePath, folderOf, nameOf, textOf, tryLink, within } from './byte-path.ts';
import { isHarmless, settingsOf } from './is-harmless.ts';
import { createYielder } from './create-yielder.ts';
import {
  entryOf,
  linkedInodes,
  makeHookFolders,
  namesOf,
  type ProtectedEntry,
  stampOf,
  type Survey,
  survey,
  type SurveyTarget,
} from './survey.ts';
import type { WorkspaceWalk } from './workspace-walk.ts';
import { msg } from '../../../../messages/index.ts';

const maxMounts = 1_000;
/** Number of times a path is put aside before the command that recreates it is ended. */
const maxTimes = 5;
/**
 * Number of paths that are put aside before the command that creates them is ended; further ones
 * are not listed.
 */
const maxPutAside = 5_000;
/** With more folders than this, the files that a command created cannot be checked. */
const maxSweptFolders = 500_000;
/** Maximum length of a name in bytes. */
const maxName = 255;

/** The state of a hold, written to disk in case the host is killed. */
export interface HoldState {
  root: string;
  hidden: string[];
  /** Entries that may exist; with a stamp if no mount protects their content. */
  known: [key: string, stamp: string | null][];
  /** Held paths with the keys of their entries. */
  held: [path: string, key: string][];
  links: [path: string, target: string][];
  settings: [path: string, lines: string[]][];
}

/** The mounts that keep a command from changing protected files. */
export interface Mounts {
  readOnly: string[];
  /** Paths that cannot be moved or replaced. */
  pinned: string[];
  /** Device and inode of each mount, by path. */
  inodes: [path: string, inode: string][];
}

/**
 * Protects a workspace while a command without approval runs in it. Existing files that decide what
 * runs later are held by mounts; `sweep` puts new ones aside.
 */
export class HeldWorkspace {
  /** The number of times each path was put aside. */
  readonly putAside = new Map<string, number>();
  private defied = false;
  private readonly walk: WorkspaceWalk;
  private readonly target: SurveyTarget;
  private readonly existingEntries: Map<string, string | null>;
  private readonly held: Map<BytePath, string>;
  private readonly links: Map<BytePath, string>;
  private readonly settings: Map<BytePath, Set<string>>;
  /** Held entries, kept open to detect whether they still exist somewhere. */
  private readonly openEntries = new Map<BytePath, OpenEntry>();

  constructor(walk: WorkspaceWalk, state: HoldState) {
    this.walk = walk;
    this.target = { root: state.root as BytePath, hidden: state.hidden as BytePath[] };
    this.existingEntries = new Map(state.known);
    this.held = new Map(state.held as [BytePath, string][]);
    this.links = new Map(state.links as [BytePath, string][]);
    const settings = state.settings as [BytePath, string[]][];
    this.settings = new Map(settings.map(([path, lines]) => [path, new Set(lines)]));
  }

  /** Must be called before the command starts, and followed by `release`. */
  keepOpen(): void {
    for (const path of this.held.keys()) {
      const entry = openEntry(this.root, path);
      if (entry !== null) this.openEntries.set(path, entry);
    }
  }

  /** From now on no change counts as made by a person. */
  release(): void {
    for (const entry of this.openEntries.values()) entry.release();
    this.openEntries.clear();
    this.held.clear();
  }

  get root(): BytePath {
    return this.target.root;
  }

  /**
   * True if something is recreated however often it is put aside, so that it would exist most of
   * the time, or if there is more than can be put aside and checked.
   */
  get isDefied(): boolean {
    return this.defied;
  }

  /**
   * Puts new protected files aside; returns false if that failed for some. Calls `onDefied`
   * immediately.
   * @throws HostError `workspace_too_large`
   */
  async sweep(onDefied?: () => void): Promise<boolean> {
    const found = await this.surveyOrEnd(onDefied);
    const doubtful = new Set<BytePath>();
    const putEach = async (of: Survey, isSecond: boolean): Promise<boolean> => {
      const present = new Set(of.entries.map(({ key }) => key));
      const pause = createYielder();
      let isClean = true;
      for (const entry of of.entries) {
        await pause();
        const { path } = entry;
        if ((isSecond && !doubtful.has(path)) || this.mayStay(entry, of, present)) continue;
        if (!isSecond && isOfGit(folderOf(path), nameOf(path))) doubtful.add(path);
        else if (!this.put(path)) isClean = false;
        if (this.defied) onDefied?.();
      }
      return isClean;
    };
    let isClean = await putEach(found, false);
    // Git links to folders that may have been created during the survey.
    if (doubtful.size > 0 && !(await putEach(await this.surveyOrEnd(onDefied), true)))
      isClean = false;
    for (const [path, target] of this.links) makeLinkAt(this.root, path, target);
    return isClean;
  }

  /**
   * Does the same for one path without a survey. Returns false for files that git creates by
   * itself, which need a survey.
   */
  sweepOne(path: BytePath): boolean {
    const name = nameOf(path);
    if (isOfGit(folderOf(path), name)) return false;
    for (const entry of entryOf(this.root, path))
      if (!this.mayStay(entry, noSurvey, new Set())) this.put(path);
    return true;
  }

  /** Returns the number of times the path was put aside. */
  timesOf(path: BytePath): number {
    return this.putAside.get(this.displayPath(path)) ?? 0;
  }

  /** Accepts the protected files that exist now. */
  async accept(): Promise<void> {
    const { entries } = await this.survey();
    for (const entry of entries)
      if (this.existingEntries.get(entry.key) !== null)
        this.existingEntries.set(entry.key, stampOf(entry.path));
  }

  /** The folders of the last survey. */
  get folders(): Iterable<BytePath> {
    return this.walk.folders;
  }

  get hidden(): readonly BytePath[] {
    return this.target.hidden;
  }

  private surveyOrEnd(onDefied: (() => void) | undefined): Promise<Survey> {
    return this.survey().catch((error: unknown) => {
      this.defied = true;
      onDefied?.();
      throw error;
    });
  }

  private survey(): Promise<Survey> {
    return survey(this.walk, this.target, maxSweptFolders);
  }

  private mayStay({ path, key }: ProtectedEntry, found: Survey, present: Set<string>): boolean {
    const stamp = this.existingEntries.get(key);
    if (stamp === null || (stamp !== undefined && stamp === stampOf(path))) return true;
    // A mount keeps the command from replacing the file; if a folder around it was moved, the file
    // still exists.
    const isOfAnother = this.held.has(path) && this.isRemoved(path, found, present);
    if (isOfAnother) {
      this.held.delete(path);
      this.existingEntries.set(key, stampOf(path));
      return true;
    }
    return isHarmless(path, found.gitFolders, this.settings.get(path) ?? new Set());
  }

  private isRemoved(path: BytePath, { isWhole }: Survey, present: Set<string>): boolean {
    const entry = this.openEntries.get(path);
    if (entry !== undefined) return entry.isRemoved();
    // After a killed host no process of the command runs any more.
    return isWhole && !present.has(this.held.get(path) ?? '');
  }

  private put(path: BytePath): boolean {
    const suffix = `.put-aside-${randomBytes(3).toString('hex')}`;
    const aside = `${nameOf(path).slice(0, maxName - suffix.length)}${suffix}`;
    if (!renameAt(this.root, path, aside)) return false;
    const times = this.timesOf(path) + 1;
    this.defied ||= times >= maxTimes || this.putAside.size >= maxPutAside;
    if (times > 1 || this.putAside.size < maxPutAside)
      this.putAside.set(this.displayPath(path), times);
    return true;
  }

  private displayPath(path: BytePath): string {
    return textOf(path.slice(this.root.length + 1) as BytePath);
  }
}

const isOfGit = (folder: BytePath, name: string): boolean =>
  isFolderPointer(folder, name) ||
  protectedInGit.has(name.toLowerCase()) ||
  name.toLowerCase() === '.gitmodules';

const noSurvey: Survey = { entries: [], repositories: [], gitFolders: new Set(), isWhole: false };

/** Surveys the workspace before a command starts. */
export async function holdWorkspace(
  walk: WorkspaceWalk,
  { workspace, hidden }: { workspace: string; hidden: readonly string[] },
  maxFolders: number,
): Promise<{ state: HoldState; mounts: Mounts }> {
  const target = { root: bytePath(workspace), hidden: hidden.map(bytePath) };
  const found = await survey(walk, target, maxFolders);
  const { entries, repositories } = makeHookFolders(found, target.root)
    ? await survey(walk, target, maxFolders)
    : found;
  const mounted = entries.filter(({ isLink, isLoose }) => !isLink && !isLoose);
  const twins = await namesOf(linkedInodes(mounted), target);
  const readOnly = outermost([
    ...mounted,
    ...twins.flatMap((path) => entryOf(target.root, path)).filter(({ isLoose }) => !isLoose),
  ]);
  const pinned = repositories.filter(
    ({ path, isLoose }) => !isLoose && !readOnly.some((outer) => isWithin(path, outer.path)),
  );
  const mounts: Mounts = {
    readOnly: readOnly.map(({ path }) => mountable(path)),
    pinned: pinned.map(({ path }) => mountable(path)),
    inodes: [...readOnly, ...pinned].map(({ path, inode }) => [mountable(path), inode]),
  };
  if (readOnly.length + pinned.length > maxMounts) throw tooMany(readOnly.length);
  const links = entries.filter(({ isLink, isLoose }) => isLink && !isLoose);
  const configs = repositories.map(({ path }) => within(path, 'config'));
  return {
    mounts,
    state: {
      root: target.root,
      hidden: target.hidden,
      known: entries.map(({ key, isLoose, path }) => [key, isLoose ? stampOf(path) : null]),
      held: mounted.map(({ path, key }) => [path, key]),
      links: links.map(({ path }) => [path, tryLink(path) ?? '']),
      settings: configs.map((path) => [path, settingsOf(path) ?? []]),
    },
  };
}

/** Drops duplicates and entries inside others of the list. */
function outermost(entries: readonly ProtectedEntry[]): ProtectedEntry[] {
  const outermostByPath = new Map<BytePath, ProtectedEntry>();
  for (const entry of [...entries].sort((a, b) => a.path.length - b.path.length)) {
    const isInside = ancestorsOf(entry.path).some((path) => outermostByPath.has(path));
    if (!isInside) outermostByPath.set(entry.path, entry);
  }
  return [...outermostByPath.values()];
}

function ancestorsOf(path: BytePath): BytePath[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/') as BytePath);
}

function mountable(path: BytePath): string {
  const text = textOf(path);
  if (bytePath(text) === path) return text;
  const message = msg('workspace.pathNotUtf8', { path: text });
  throw new HostError('conflict', 'not_protectable', message);
}

function tooMany(count: number): HostError {
  const message = msg('workspace.tooManyProtected', { count });
  return new HostError('conflict', 'not_protectable', message);
}
