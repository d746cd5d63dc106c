import type { PluginWarning } from '../../../contract/index.ts';
import {
  languageServersIn,
  namesOf,
  type PluginCopy,
  readContributions,
  readLanguageServers,
} from '../../contributions/index.ts';
import { warningsOf } from '../grid/entry-facts.ts';

/** What of the files of a plugin the host cannot use. A package has a page or a worker beside that. */
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
