import { ContentWarnings } from './content-warnings.ts';
import { FrontMatterReader } from './front-matter.ts';
import { PluginTree } from './plugin-tree.ts';

/** What reading JSON documents needs; of a package that is not unpacked there is no more. */
export interface DocumentReading {
  tree: Pick<PluginTree, 'kindOf' | 'readText'>;
  warnings: ContentWarnings;
}

/** What the readers of one plugin's parts share, for one reading. */
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
