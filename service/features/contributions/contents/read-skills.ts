import { basename } from 'node:path';
import { byName } from './by-name.ts';
import { declaredIn } from './declared-paths.ts';
import { inParallel } from '../../../core/in-parallel.ts';
import { firstParts, readMarkdownPart, readsAtOnce } from './markdown-part.ts';
import type { Skill } from './plugin-contents.ts';
import type { PluginReading } from './plugin-reading.ts';
import { lastPartOf, parentOf, type PluginTree, type TreeEntry } from './plugin-tree.ts';
import { nameOfFile } from './visible-text.ts';
import { msg } from '../../../messages/index.ts';

const maxFilesOfASkill = 500;

/** The file that makes its folder a skill. */
interface SkillFile {
  path: string;
  folder: string;
}

/**
 * Reads every skill of a plugin. With `useDefaults` these are `skills/*` and the plugin itself;
 * groups in `skills/*` count only if `declared` names no locations, since authors who name some
 * groups exclude the others.
 */
export async function readSkills(
  reading: PluginReading,
  declared: unknown,
  options: { useDefaults: boolean; directory: string },
): Promise<Skill[]> {
  const { tree, warnings } = reading;
  const found = new Map<string, SkillFile>();
  const add = (files: SkillFile[]): void => {
    for (const file of files) if (!found.has(file.folder)) found.set(file.folder, file);
  };
  if (options.useDefaults) {
    const levels = declared === undefined || declared === null ? 2 : 1;
    add(skillFileOf('', await tree.list('')));
    add(await skillFilesBelow(tree, 'skills', levels));
  }
  for (const item of declaredIn('skills', declared, warnings)) {
    if ('path' in item) add(await skillFilesAt(reading, item.path));
    else warnings.add(item.from, msg('contributions.skillNotPath'));
  }
  const files = firstParts([...found.values()], 'skills', warnings);
  const skills = await inParallel(files, readsAtOnce, (file) =>
    readSkill(reading, file, basename(options.directory)),
  );
  const read = skills.filter((skill) => skill !== null);
  return byName(read, (skill) => skill.path, warnings);
}

/** A path can be a skill folder, a folder of skills or of groups, or the skill file itself. */
async function skillFilesAt({ tree, warnings }: PluginReading, path: string): Promise<SkillFile[]> {
  const isFile = (await tree.kindOf(path)) === 'file';
  if (isFile && isSkillFile(lastPartOf(path))) return [{ path: path, folder: parentOf(path) }];
  const itself = skillFileOf(path, await tree.list(path));
  const files = itself.length > 0 ? itself : await skillFilesBelow(tree, path, 2);
  if (files.length === 0) warnings.add(path, msg('contributions.noSkillFile'));
  return files;
}

async function skillFilesBelow(
  tree: PluginTree,
  folder: string,
  levels: number,
): Promise<SkillFile[]> {
  const folders = (await tree.list(folder)).filter((entry) => entry.kind === 'directory');
  const found = await inParallel(folders, readsAtOnce, async ({ path }) => {
    const itself = skillFileOf(path, await tree.list(path));
    return itself.length > 0 || levels === 1 ? itself : skillFilesBelow(tree, path, levels - 1);
  });
  return found.flat();
}

function skillFileOf(folder: string, entries: TreeEntry[]): SkillFile[] {
  const files = entries.filter(({ name, kind }) => kind === 'file' && isSkillFile(name));
  const file = files.find(({ name }) => name === 'SKILL.md') ?? files[0];
  return file === undefined ? [] : [{ path: file.path, folder }];
}

function isSkillFile(name: string): boolean {
  return name.toLowerCase() === 'skill.md';
}

async function readSkill(
  reading: PluginReading,
  { path, folder }: SkillFile,
  pluginName: string,
): Promise<Skill | null> {
  const { tree, warnings } = reading;
  const part = await readMarkdownPart(reading, path);
  if (part === null) return null;
  const files = await tree.filesBelow(folder, maxFilesOfASkill + 1);
  if (files.length > maxFilesOfASkill) {
    warnings.add(folder, msg('contributions.tooManySkillFiles', { limit: maxFilesOfASkill }));
  }
  const others = files.filter((file) => file !== path).slice(0, maxFilesOfASkill - 1);
  return {
    name: part.name ?? nameOfFile(folder === '' ? pluginName : lastPartOf(folder)),
    description: part.description,
    directory: folder === '' ? '.' : folder,
    path,
    files: [...others, path].sort(),
  };
}
