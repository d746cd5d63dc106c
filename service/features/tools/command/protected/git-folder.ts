import { protectedInGit } from '../../../../core/protected-names.ts';
import { isWithin } from '../workspace.ts';
import { resolve } from 'node:path';
import { type BytePath, folderOf, tryList, tryRead, tryStat, within } from './byte-path.ts';

const maxDepth = 10;

/** A repository, with those of its submodules and its further work trees. */
export interface GitFolder {
  path: BytePath;
  /** Of the names that are protected in it those that are there. */
  places: BytePath[];
}

/** Reads a folder of git; the first one answered is the folder itself. */
export function gitFoldersIn(path: BytePath, depth = 0): GitFolder[] {
  const folder: GitFolder = { path, places: [] };
  const all = [folder];
  for (const entry of tryList(path)) {
    const name = entry.name.toLowerCase();
    const inner = within(path, entry.name);
    if (protectedInGit.has(name)) folder.places.push(inner);
    else if (!entry.isDirectory()) continue;
    else if (/^rebase-(?:merge|apply)$/.test(name)) folder.places.push(...todoIn(inner));
    else if (name === 'modules' || name === 'worktrees')
      all.push(...gitFoldersBelow(inner, depth + 1));
  }
  return all;
}

const todoIn = (folder: BytePath): BytePath[] =>
  tryList(folder)
    .filter(({ name }) => protectedInGit.has(name.toLowerCase()))
    .map(({ name }) => within(folder, name));

/** The names of submodules may hold slashes. */
function gitFoldersBelow(path: BytePath, depth: number): GitFolder[] {
  if (depth > maxDepth) return [];
  return tryList(path)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const inner = within(path, name);
      const names = tryList(inner).map((entry) => entry.name.toLowerCase());
      const isOne = names.includes('head') || names.some((one) => protectedInGit.has(one));
      return [
        ...(isOne ? gitFoldersIn(inner, depth) : []),
        ...(isOne ? [] : gitFoldersBelow(inner, depth + 1)),
      ];
    });
}

/** Folders of hooks and further settings that the settings of a repository name, in the workspace. */
export function namedBy(config: BytePath, root: BytePath): BytePath[] {
  const text = tryRead(config);
  if (text === null) return [];
  const gitFolder = folderOf(config);
  const workTree = folderOf(gitFolder);
  return [...text.matchAll(/^[^#;\n]*?\b(hookspath|path)\s*=\s*"?([^"\n#;]+)/gim)]
    .map(([, key = '', value = '']) => {
      const base = key.toLowerCase() === 'hookspath' ? workTree : gitFolder;
      return resolve(base, value.trim()) as BytePath;
    })
    .filter((path) => isWithin(path, root) && !isWithin(gitFolder, path) && tryStat(path) !== null);
}
