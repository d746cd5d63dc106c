import { type Declared, declaredIn } from './declared-paths.ts';
import { maxPartsOfAKind } from './markdown-part.ts';
import type { PluginReading } from './plugin-reading.ts';
import { parentOf } from './plugin-tree.ts';
import { msg } from '../../../messages/index.ts';

/** A Markdown file of a plugin. */
export interface MarkdownFile {
  /** Relative to the plugin. */
  path: string;
  /** Path relative to the searched folder, without `.md`. */
  relativePath: string;
}

const isMarkdown = (name: string): boolean => name.toLowerCase().endsWith('.md');

/**
 * Finds the Markdown files of one kind: those in its own folder (also named `field`) if
 * `useDefaults` is set, and those that `declared` names. `others` are inline objects in `declared`.
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
