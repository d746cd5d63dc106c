import { ContentWarnings } from './content-warnings.ts';
import { FrontMatterReader } from './front-matter.ts';
import { PluginTree } from './plugin-tree.ts';

/**
 * The part of `PluginReading` that JSON documents need; a package that is not unpacked has only
 * this.
 */
export interface DocumentReading {
  tree: Pick<PluginTree, 'kindOf' | 'readText'>;
  warnings: ContentWarnings;
}

/** State shared by the readers of one plugin's parts during one reading. */
export interface PluginReading {
  tree: PluginTree;
  warnings: ContentWarnings;
  headers: FrontMatterReader;
}

export async function startReading(directory: string): Promise<PluginReading> {
  const warnings = new ContentWarnings();
  const tree = await PluginTree.open(directory, warnings);
  return { tree, warnings, headers: await FrontMatterReader.open() };
}
