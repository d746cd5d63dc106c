import { type Declared, declaredIn } from './declared-paths.ts';
import { maxPartsOfAKind } from './markdown-part.ts';
import type { PluginReading } from './plugin-reading.ts';
import { parentOf } from './plugin-tree.ts';
import { msg } from '../../../messages/index.ts';

export interface MarkdownFile {
  path: string;
  /** Its path from the folder where the search began, without `.md`. */
  relativePath: string;
}

const isMarkdown = (name: string): boolean => name.toLowerCase().endsWith('.md');

/**
 * The Markdown files of one kind: those of its own folder (`field` is its name too), with
 * `useDefaults`, and of the places that `declared` names. `others` are the objects it holds instead.
 */
export async function markdownFiles(
  { tree, warnings }: PluginReading,
  declared: { field: 'commands' | 'agents'; value: unknown; useDefaults: boolean },
): Promise<{ files: MarkdownFile[]; others: Extract<Declared, { inline: object }>[] }> {
  const { field, value, useDefaults } = declared;
  const found = new Map<string, MarkdownFile>();
  const others: Extract<Declared, { inline: object }>[] = [];
  const addFolder = async (folder: string): Promise<number> => {
    const paths = await tree.filesBelow(folder, maxPartsOfAKind + 1, isMarkdown);
    for (const path of paths) add(found, path, folder);
    return paths.length;
  };
  if (useDefaults) await addFolder(field);
  for (const item of declaredIn(field, value, warnings)) {
    if ('inline' in item) others.push(item);
    else if ((await tree.kindOf(item.path)) === 'file' && isMarkdown(item.path)) {
      add(found, item.path, parentOf(item.path));
    } else if ((await addFolder(item.path)) === 0) {
      warnings.add(item.path, msg('contributions.noMarkdownFile', { field }));
    }
  }
  return { files: [...found.values()], others };
}

function add(found: Map<string, MarkdownFile>, path: string, folder: string): void {
  if (found.has(path)) return;
  const relativePath = path.slice(folder === '' ? 0 : folder.length + 1).slice(0, -'.md'.length);
  found.set(path, { path, relativePath });
}
