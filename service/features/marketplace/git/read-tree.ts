import { HostError } from '../../../core/host-error.ts';
import {
  NameBook,
  nameProblem,
  sameNameKey,
  segmentsOf,
} from '../../../platform/archives/archive-names.ts';
import { printable } from '../../../platform/archives/archive-problems.ts';
import { gitFailed, type Git, type GitRun } from './git.ts';

export interface TreeFile {
  /** Below the folder that was read. */
  name: string;
  object: string;
  executable: boolean;
}

export interface Tree {
  /** Identity of the folder's content. */
  tree: string;
  files: TreeFile[];
  /** What is left out, and why, as a clause. */
  skipped: { name: string; reason: string }[];
}

const maxTreeBytes = 64 * 1024 ** 2;
const maxFiles = 50_000;
const maxSkippedTold = 200;

/**
 * The files of a folder of a commit, `''` for all of it. Links and submodules are left out, and names
 * that not every system can have. A path that would leave the folder is no accident: it is refused.
 */
export async function readTree(
  git: Git,
  { commit, path }: { commit: string; path: string },
  run: Omit<GitRun, 'args'>,
): Promise<Tree> {
  const named = `${commit}:${path}`;
  const output = (...args: string[]): Promise<Buffer> =>
    git.output({ ...run, args }, maxTreeBytes).catch((error: unknown) => {
      const isMissing = error instanceof HostError && error.code === gitFailed('').code;
      throw isMissing ? noFolder(path) : error;
    });
  const [listing, tree] = await Promise.all([
    output('ls-tree', '-r', '-z', '--full-tree', named),
    output('rev-parse', '--verify', '--quiet', named),
  ]);
  const lines = listing.toString('utf8').split('\0').slice(0, -1);
  if (lines.length > maxFiles) throw refused(`holds more than ${maxFiles} files`);
  return { tree: tree.toString('latin1').trim(), ...sorted(lines) };
}

function sorted(lines: readonly string[]): Omit<Tree, 'tree'> {
  const tree: Omit<Tree, 'tree'> = { files: [], skipped: [] };
  const names = new NameBook(sameNameKey);
  for (const line of lines) {
    const [, mode = '', object = '', name = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    if (escapes(name)) throw refused(`has the path ${printable(name)}`);
    const reason = skipReason(mode, name) ?? names.add(name);
    if (reason === undefined) tree.files.push({ name, object, executable: mode === '100755' });
    else if (tree.skipped.length < maxSkippedTold)
      tree.skipped.push({ name: printable(name), reason });
  }
  return tree;
}

/** Parts that lead out of the folder, or into what git takes for its own. */
function escapes(name: string): boolean {
  if (name.includes('\\') || name.includes('\0')) return true;
  return segmentsOf(name).some(
    (part) => ['', '.', '..'].includes(part) || /^(?:\.git|git~\d+)$/i.test(plain(part)),
  );
}

/** Some disks leave invisible characters and trailing dots out of a name. */
const plain = (part: string): string =>
  part.replace(/\p{Default_Ignorable_Code_Point}/gu, '').replace(/[. ]+$/, '');

function skipReason(mode: string, name: string): string | undefined {
  if (mode === '120000') return 'is a symbolic link';
  if (mode === '160000') return 'is a submodule';
  if (!mode.startsWith('100')) return 'is no file';
  return nameProblem(name);
}

function noFolder(path: string): HostError {
  const where = path === '' ? 'no files' : `no folder ${printable(path)}`;
  return new HostError(
    'unprocessable',
    'invalid_repository',
    `The repository has ${where} at that commit. Refresh the source, or tell its owner.`,
  );
}

function refused(what: string): HostError {
  return new HostError(
    'unprocessable',
    'invalid_repository',
    `The repository ${what}, so it is not taken in. Tell its owner.`,
  );
}
