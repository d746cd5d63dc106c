import { resolve } from 'node:path';
import { type BytePath, folderOf, nameOf, tryList, tryRead, tryStat } from './byte-path.ts';

/**
 * Whether something new with a protected name is what git makes by itself, so that a repository can
 * be made and cloned. `knownLines` are lines of a file at this place that a person has had there.
 */
export function isHarmless(
  path: BytePath,
  gitFolders: ReadonlySet<BytePath>,
  knownLines: ReadonlySet<string>,
): boolean {
  const name = nameOf(path);
  const isInGit = gitFolders.has(folderOf(path));
  if (name === '.git') return isLinkToGit(path, gitFolders);
  if (name === 'git-rebase-todo') return linesOf(path)?.every(isPlainTodo) === true;
  if (!isInGit) return false;
  if (name === 'hooks') return hasNoHook(path);
  if (name === 'commondir') return tryRead(path)?.trim() === '../..';
  return /^config(?:\.worktree)?$/.test(name) && hasPlainSettings(path, knownLines);
}

function hasPlainSettings(path: BytePath, knownLines: ReadonlySet<string>): boolean {
  return settingsOf(path)?.every((one) => knownLines.has(one) || isPlain(one)) === true;
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

/** Settings that name no program and no file; one line each. */
const plainSettings = [
  /^$/,
  /^[#;].*(?<!\\)$/,
  /^\[(?:core|init|user|color|gc|(?:remote|branch) "[\w ./@+-]+")\]$/,
  /^(?:repositoryformatversion|filemode|bare|logallrefupdates|symlinks|ignorecase|precomposeunicode)\s*=\s*\w+$/i,
  /^(?:name|email|defaultbranch|merge|remote|fetch|rebase|ui|auto)\s*=\s*[\w ./@<>+:*-]+$/i,
  /^(?:url|pushurl)\s*=\s*(?:(?:https?|ssh|git|file):\/\/|\/|[\w.-]+@[\w.-]+:)[\w.~@:/?=&%+-]*$/i,
];

function isPlain(setting: string): boolean {
  const line = setting.slice(setting.indexOf('\n') + 1);
  return plainSettings.some((one) => one.test(line));
}

const isPlainTodo = (line: string): boolean =>
  /^(?:#.*|)$|^(?:pick|p|reword|r|edit|e|squash|s|fixup|f|drop|d|noop|break|b|label|l|reset|t|merge|m|update-ref|u)\b/.test(
    line,
  );
