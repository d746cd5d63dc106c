import type { PluginWarning } from '../../../contract/index.ts';
import {
  languageServersIn,
  namesOf,
  type PluginCopy,
  readContributions,
  readLanguageServers,
} from '../../contributions/index.ts';
import { warningsOf } from '../grid/entry-facts.ts';

/**
 * Warnings about parts of a plugin that the host cannot use. A package also has a page or a worker.
 */
export async function warningsAbout(copy: PluginCopy): Promise<PluginWarning[]> {
  const { directory, origin } = copy;
  const [contributed, own] = await Promise.all([
    readContributions(copy),
    readLanguageServers(directory),
  ]);
  const declared = languageServersIn(origin?.raw['lspServers']);
  return warningsOf({
    bringsNothing: origin !== null && namesOf(contributed) === undefined,
    servers: [...declared, ...own],
  });
}
