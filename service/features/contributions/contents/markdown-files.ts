import { type Declared, declaredIn } from './declared-places.ts';
import { maxPartsOfAKind } from './markdown-part.ts';
import type { PluginReading } from './plugin-reading.ts';
import { parentOf } from './plugin-tree.ts';

export interface MarkdownFile {
  path: string;
  /** Its path from the folder where the search began, without `.md`. */
  place: string;
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
    else if ((await tree.kindOf(item.place)) === 'file' && isMarkdown(item.place)) {
      add(found, item.place, parentOf(item.place));
    } else if ((await addFolder(item.place)) === 0) {
      warnings.add(item.place, `is named in ${field}, but holds no .md file`);
    }
  }
  return { files: [...found.values()], others };
}

function add(found: Map<string, MarkdownFile>, path: string, folder: string): void {
  if (found.has(path)) return;
  const place = path.slice(folder === '' ? 0 : folder.length + 1).slice(0, -'.md'.length);
  found.set(path, { path, place });
}
