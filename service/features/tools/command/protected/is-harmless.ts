import { resolve } from 'node:path';
import { type BytePath, folderOf, nameOf, tryList, tryRead, tryStat } from './byte-path.ts';

/**
 * Whether something new with a protected name is what git makes by itself, so that a repository can
 * be made and cloned. `knownLines` are lines of a file at this place that a person has had there.
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

/** The lines of a file of settings, each with the section that it stands in. */
export function settingsOf(path: BytePath): string[] | null {
  let section = '';
  return (
    linesOf(path)?.map((line) => {
      if (line.startsWith('[')) section = line;
      return `${section}\n${line}`;
    }) ?? null
  );
}

/** Git's own examples do nothing under the name that they have. */
function hasNoHook(path: BytePath): boolean {
  const entries = tryList(path);
  return (
    tryStat(path)?.isDirectory() === true &&
    entries.every((entry) => entry.isFile() && entry.name.endsWith('.sample'))
  );
}

/** A work tree of a repository, or a submodule, whose folder lies in one that was looked at. */
function isLinkToGit(path: BytePath, gitFolders: ReadonlySet<BytePath>): boolean {
  const [, target] = /^gitdir: ([^\n]+)\n?$/.exec(tryRead(path) ?? '') ?? [];
  if (target === undefined) return false;
  const folder = resolve(folderOf(path), target) as BytePath;
  return gitFolders.has(folder) && /\/(?:worktrees|modules)\//.test(folder);
}

/** Keys whose values are a word, which names no program and no file. */
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

/** What git writes without quotes and escapes. */
const unquoted = String.raw`[^"\\;#]*`;

/** Settings that name no program and no file of hooks or settings; one line each. */
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

/** Of a submodule: the folder that its files lie in, seen from the folder of git. */
const worktreeOfSubmodule = /^worktree\s*=\s*(?:\.\.\/)+(?!.*\.\.)[^"\\;#]*$/i;
/** In `.gitmodules`. */
const pathOfSubmodule = /^path\s*=\s*(?!\/|.*\.\.)[^"\\;#]*$/i;

/** Git writes none that is longer; some of the expressions take ever longer for one. */
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
