import { ContentWarnings } from './contents/content-warnings.ts';
import { splitFrontMatter } from './contents/front-matter.ts';
import { PluginTree } from './contents/plugin-tree.ts';

/**
 * Reads a text file of a plugin of at most 1 MiB without following links; null if there is none.
 */
export async function readPluginText(root: string, path: string): Promise<string | null> {
  if (path.split('/').some((part) => part === '..' || part === '.git')) return null;
  const tree = await PluginTree.open(root, new ContentWarnings());
  const read = await tree.readText(path);
  return read.state === 'read' ? read.text : null;
}

/** The text of a skill or a command without its front matter. */
export const bodyOf = (text: string): string => splitFrontMatter(text).body.trim();
