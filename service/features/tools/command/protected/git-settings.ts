import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { bytePath, type BytePath, folderOf, nameOf, tryRead, within } from './byte-path.ts';

const maxIncludes = 100;

interface Setting {
  section: string;
  /** In lower case. */
  key: string;
  value: string;
}

/** A git folder, and the folders whose files it manages. */
export interface GitFolder {
  path: BytePath;
  workTrees: readonly BytePath[];
}

/** Keys whose value is a program or begins with one. */
const programKeys = new Set([
  ...['fsmonitor', 'sshcommand', 'editor', 'pager', 'askpass', 'program', 'clean', 'smudge'],
  ...['process', 'driver', 'textconv', 'command', 'cmd', 'external', 'helper', 'gitproxy'],
  ...['difffilter', 'uploadpack', 'receivepack'],
]);

/**
 * Returns the paths in settings that run later or contain further settings: hook folders, included
 * files, programs by path. The paths may not exist yet.
 */
export function namedBySettings(folder: GitFolder): BytePath[] {
  const bases = [folder.path, ...folder.workTrees];
  const own = ['config', 'config.worktree'].map((name) => within(folder.path, name));
  // The user's own settings may have a relative hook folder.
  const ofUser = [within(home(), '.gitconfig'), within(home(), '.config/git/config')];
  const pending = [...own, ...ofUser];
  const found: BytePath[] = [];
  for (let at = 0; at < pending.length && at < maxIncludes; at += 1) {
    const file = pending[at] as BytePath;
    for (const { section, key, value } of settingsIn(tryRead(file) ?? '')) {
      if (key === 'path' && /^include/.test(section)) {
        const included = resolvePath(folderOf(file), value);
        found.push(included);
        if (!pending.includes(included)) pending.push(included);
      }
      if (key === 'hookspath') found.push(...bases.map((base) => resolvePath(base, value)));
      if (programKeys.has(key) || section === 'alias' || section === 'pager')
        found.push(...programsOf(folder.workTrees, value));
    }
  }
  return found;
}

/** Returns the work tree that the settings name. */
function workTreeOf(folder: BytePath): BytePath[] {
  return settingsIn(tryRead(within(folder, 'config')) ?? '')
    .filter(({ section, key }) => section === 'core' && key === 'worktree')
    .map(({ value }) => resolvePath(folder, value));
}

/** Returns the target of a file named `.git`. */
export function gitLinkOf(path: BytePath): BytePath | null {
  const [, target] = /^gitdir: ([^\n]+)\n?$/.exec(tryRead(path) ?? '') ?? [];
  return target === undefined ? null : resolvePath(folderOf(path), target);
}

function programsOf(workTrees: readonly BytePath[], value: string): BytePath[] {
  const [program = ''] = value.replace(/^!\s*/, '').split(/\s/);
  return program.includes('/') ? workTrees.map((folder) => resolvePath(folder, program)) : [];
}

const home = (): BytePath => bytePath(homedir());

const resolvePath = (base: BytePath, path: string): BytePath =>
  (path.startsWith('~/') ? within(home(), path.slice(2)) : resolve(base, path)) as BytePath;

const header = /^\[\s*([\w.-]+)\s*(?:"(?:[^"\\]|\\.)*"\s*)?\]/;

function settingsIn(text: string): Setting[] {
  const found: Setting[] = [];
  let section = '';
  for (const whole of linesOf(text)) {
    let line = whole.trim();
    for (let match = header.exec(line); match !== null; match = header.exec(line)) {
      section = (match[1] ?? '').toLowerCase();
      line = line.slice(match[0].length).trim();
    }
    const [, key = '', value = ''] = /^([a-z][\w-]*)\s*=\s*(.*)$/is.exec(line) ?? [];
    if (key !== '') found.push({ section, key: key.toLowerCase(), value: valueOf(value) });
  }
  return found;
}

/** Returns the lines, with continuation lines joined. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  let pendingLine = '';
  for (const line of text.split(/\r?\n/)) {
    const isComment = pendingLine === '' && /^\s*[#;]/.test(line);
    if (isComment) continue;
    if (/(?<!\\)(?:\\\\)*\\$/.test(line)) {
      pendingLine += line.slice(0, -1);
      continue;
    }
    lines.push(pendingLine + line);
    pendingLine = '';
  }
  return [...lines, pendingLine];
}

/** Returns the value without quotes, escapes and a trailing comment. */
function valueOf(text: string): string {
  let value = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') isQuoted = !isQuoted;
    else if (char === '\\') value += text.charAt((at += 1));
    else if (!isQuoted && /[#;]/.test(char)) break;
    else value += char;
  }
  return value.trim();
}

/** Finds the work trees of a git folder: beside it, by its settings, and by links to it. */
export function gitFolderOf(path: BytePath, links: ReadonlyMap<BytePath, BytePath>): GitFolder {
  const linked = [...links].filter(
    ([, target]) => target === path || target.startsWith(`${path}/worktrees/`),
  );
  const beside = /^\.git$/i.test(nameOf(path)) ? [folderOf(path)] : [];
  const workTrees = [...beside, ...workTreeOf(path), ...linked.map(([link]) => folderOf(link))];
  return { path, workTrees };
}
