import { resolve } from 'node:path';
import { type BytePath, folderOf, nameOf, tryList, tryRead, tryStat } from './byte-path.ts';

/**
 * Returns true for a new file with a protected name that git creates by itself, so that
 * repositories can be created and cloned. `knownLines` are lines of a file at this path that a
 * person had before.
 */
export function isHarmless(
  path: BytePath,
  gitFolders: ReadonlySet<BytePath>,
  existingLines: ReadonlySet<string>,
): boolean {
  const name = nameOf(path);
  const isInGit = gitFolders.has(folderOf(path));
  if (name === '.git') return isLinkToGit(path, gitFolders);
  if (name === '.gitmodules') return hasPlainSettings(path, existingLines, pathOfSubmodule);
  if (name === 'git-rebase-todo') return linesOf(path)?.every(isPlainTodo) === true;
  if (!isInGit) return false;
  if (name === 'hooks') return hasNoHook(path);
  if (name === 'commondir') return tryRead(path)?.trim() === '../..';
  if (!/^config(?:\.worktree)?$/.test(name)) return false;
  const further = path.includes('/modules/') ? worktreeOfSubmodule : undefined;
  return hasPlainSettings(path, existingLines, further);
}

function hasPlainSettings(
  path: BytePath,
  existingLines: ReadonlySet<string>,
  further?: RegExp,
): boolean {
  const isAllowed = (one: string): boolean => existingLines.has(one) || isPlain(one, further);
  return settingsOf(path)?.every(isAllowed) === true;
}

const linesOf = (path: BytePath): string[] | null =>
  tryRead(path)
    ?.split('\n')
    .map((line) => line.trim()) ?? null;

/** Returns the lines of a settings file, each prefixed by its section. */
export function settingsOf(path: BytePath): string[] | null {
  let section = '';
  return (
    linesOf(path)?.map((line) => {
      if (line.startsWith('[')) section = line;
      return `${section}\n${line}`;
    }) ?? null
  );
}

/** The example hooks of git are inactive under their names. */
function hasNoHook(path: BytePath): boolean {
  const entries = tryList(path);
  return (
    tryStat(path)?.isDirectory() === true &&
    entries.every((entry) => entry.isFile() && entry.name.endsWith('.sample'))
  );
}

/**
 * Returns true for a link of a work tree or submodule whose folder lies in a repository that was
 * checked.
 */
function isLinkToGit(path: BytePath, gitFolders: ReadonlySet<BytePath>): boolean {
  const [, target] = /^gitdir: ([^\n]+)\n?$/.exec(tryRead(path) ?? '') ?? [];
  if (target === undefined) return false;
  const folder = resolve(folderOf(path), target) as BytePath;
  return gitFolders.has(folder) && /\/(?:worktrees|modules)\//.test(folder);
}

/** Keys whose value is a keyword, not a program or a file. */
const wordKeys = [
  ...['repositoryformatversion', 'filemode', 'bare', 'logallrefupdates', 'symlinks', 'ignorecase'],
  ...['precomposeunicode', 'autocrlf', 'eol', 'safecrlf', 'sharedrepository', 'sparsecheckout'],
  ...['sparsecheckoutcone', 'quotepath', 'longpaths', 'worktreeconfig', 'objectformat'],
  ...['refstorage', 'compatobjectformat', 'partialclone', 'relativeworktrees', 'promisor'],
  ...['partialclonefilter', 'mirror', 'prune', 'prunetags', 'tagopt', 'denynonfastforwards'],
  ...['gpgsign', 'rebase', 'ff', 'default', 'autosetupremote', 'autosetuprebase', 'autostash'],
  ...['followtags', 'recurse', 'recursesubmodules', 'fetchrecursesubmodules', 'active', 'shallow'],
  ...['ignore', 'defaultbranch', 'auto', 'ui'],
];

/** Text that git writes without quotes and escapes. */
const unquoted = String.raw`[^"\\;#]*`;

/** Settings that name no program and no file with hooks or settings, one per line. */
const plainSettings = [
  /^$/,
  /^[#;].*(?<!\\)$/,
  /^\[(?:core|init|user|color|gc|extensions|submodule|receive|commit|tag|pull|push|fetch|rebase)\]$/,
  /^\[(?:remote|branch|submodule) "[^"\\\]]+"\]$/,
  new RegExp(String.raw`^(?:${wordKeys.join('|')})\s*=\s*[\w.:=+-]*$`, 'i'),
  new RegExp(String.raw`^(?:name|email|merge|remote|fetch|branch)\s*=\s*${unquoted}$`, 'i'),
  new RegExp(
    String.raw`^(?:url|pushurl)\s*=\s*(?:(?:https?|ssh|git|file):\/\/|\.{0,2}\/|[\w.-]+@[\w.-]+:)${unquoted}$`,
    'i',
  ),
  /^update\s*=\s*(?:checkout|rebase|merge|none)$/i,
];

/** The work tree of a submodule, relative to its git folder. */
const worktreeOfSubmodule = /^worktree\s*=\s*(?:\.\.\/)+(?!.*\.\.)[^"\\;#]*$/i;
/** A line of `.gitmodules`. */
const pathOfSubmodule = /^path\s*=\s*(?!\/|.*\.\.)[^"\\;#]*$/i;

/** Git writes no longer lines, and some of the expressions take quadratic time. */
const maxPlainLine = 4_096;

function isPlain(setting: string, further?: RegExp): boolean {
  const line = setting.slice(setting.indexOf('\n') + 1);
  if (line.length > maxPlainLine) return false;
  return plainSettings.some((one) => one.test(line)) || further?.test(line) === true;
}

const isPlainTodo = (line: string): boolean =>
  /^(?:#.*|)$|^(?:pick|p|reword|r|edit|e|squash|s|fixup|f|drop|d|noop|break|b|label|l|reset|t|merge|m|update-ref|u)\b/.test(
    line,
  );
