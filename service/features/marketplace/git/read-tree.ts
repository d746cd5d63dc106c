import { HostError } from '../../../core/host-error.ts';
import {
  NameRegistry,
  nameProblem,
  sameNameKey,
  segmentsOf,
} from '../../../platform/archives/archive-names.ts';
import { printable } from '../../../platform/archives/archive-problems.ts';
import { incomplete } from './blob-reader.ts';
import type { Git, GitRun } from './git.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** A file of a folder in a commit. */
export interface TreeFile {
  /** Path relative to the folder. */
  name: string;
  /** Object id of its content. */
  object: string;
  executable: boolean;
}

/** The files of a folder in a commit. */
export interface Tree {
  /** Object id of the folder, which identifies its content. */
  tree: string;
  files: TreeFile[];
  /** Files that are left out, and why, as a clause; at most 200. */
  skipped: { name: string; reason: Message }[];
}

/** A folder of a commit. */
export interface Folder {
  commit: string;
  /** `''` for the whole repository. */
  path: string;
  /** Top-level names that the host needs for its own files. */
  reserved?: readonly string[];
}

const maxTreeBytes = 64 * 1024 ** 2;
const maxFiles = 50_000;
const maxContentBytes = 1024 ** 3;
const maxSkippedReported = 200;

/**
 * Lists the files of a folder of a commit. Links, submodules and names that are not valid on every
 * system are left out. A path that would leave the folder is an attack, so the whole folder is
 * refused.
 * @throws HostError `invalid_repository`, `repository_too_large`
 */
export async function readTree(
  git: Git,
  { commit, path, reserved = [] }: Folder,
  run: Omit<GitRun, 'args'>,
): Promise<Tree> {
  const args = ['cat-file', '--batch-check=%(objecttype) %(objectname)'];
  const found = await git.output({ ...run, args, input: `${commit}:${path}\n` });
  const tree = /^tree ([0-9a-f]+)\n$/.exec(found.toString('latin1'))?.[1];
  if (tree === undefined) throw noFolder(path);
  const list = ['ls-tree', '-r', '-l', '-z', '--full-tree', tree];
  const listing = await git.output({ ...run, args: list }, maxTreeBytes);
  const lines = listing.toString('utf8').split('\0').slice(0, -1);
  if (lines.length > maxFiles) throw refused(msg('git.treeTooManyFiles', { limit: maxFiles }));
  return { tree, ...sorted(lines, reserved) };
}

function sorted(lines: readonly string[], reserved: readonly string[]): Omit<Tree, 'tree'> {
  const tree: Omit<Tree, 'tree'> = { files: [], skipped: [] };
  const names = new NameRegistry(sameNameKey);
  for (const name of reserved) names.add(name);
  let contentBytes = 0;
  for (const line of lines) {
    const { mode, object, size, name } = partsOf(line);
    if (escapes(name)) throw refused(msg('git.treeHostilePath', { path: printable(name) }));
    const reason = skipReason(mode, name) ?? names.add(name);
    if (reason === undefined) {
      tree.files.push({ name, object, executable: mode === '100755' });
      contentBytes += size;
    } else if (tree.skipped.length < maxSkippedReported) {
      tree.skipped.push({ name: printable(name), reason });
    }
  }
  if (contentBytes > maxContentBytes) throw tooLarge();
  return tree;
}

/** One line of `ls-tree -l`; only blobs have a size. */
function partsOf(line: string): { mode: string; object: string; size: number; name: string } {
  const parts = /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line);
  // For a damaged object, the line has no size.
  if (parts === null) throw incomplete();
  const [, mode = '', object = '', size = '-', name = ''] = parts;
  return { mode, object, size: size === '-' ? 0 : Number(size), name };
}

/** True for path segments that lead out of the folder or into git's own files. */
function escapes(name: string): boolean {
  if (name.includes('\\') || name.includes('\0')) return true;
  return segmentsOf(name).some(
    (part) => ['', '.', '..'].includes(part) || /^(?:\.git|git~\d+)$/i.test(plain(part)),
  );
}

/** Some file systems ignore invisible characters and trailing dots in names. */
const plain = (part: string): string =>
  part.replace(/\p{Default_Ignorable_Code_Point}/gu, '').replace(/[. ]+$/, '');

function skipReason(mode: string, name: string): Message | undefined {
  if (mode === '120000') return msg('git.fileLink');
  if (mode === '160000') return msg('git.fileSubmodule');
  if (!mode.startsWith('100')) return msg('git.fileSpecial');
  if (name.includes('\ufffd')) return msg('git.fileNameNotUtf8');
  return nameProblem(name);
}

function noFolder(path: string): HostError {
  return refused(
    path === '' ? msg('git.treeEmpty') : msg('git.treeNoFolder', { path: printable(path) }),
  );
}

function refused(message: Message): HostError {
  return new HostError('unprocessable', 'invalid_repository', message);
}

function tooLarge(): HostError {
  const message = msg('git.pluginTooLarge', { limit: maxContentBytes / 1024 ** 2 });
  return new HostError('too-large', 'repository_too_large', message);
}
