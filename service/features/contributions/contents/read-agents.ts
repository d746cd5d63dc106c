import { byName } from './by-name.ts';
import { inParallel } from '../../../core/in-parallel.ts';
import { markdownFiles } from './markdown-files.ts';
import { firstParts, readMarkdownPart, readsAtOnce } from './markdown-part.ts';
import type { PluginAgent } from './plugin-contents.ts';
import type { PluginReading } from './plugin-reading.ts';
import { lastPartOf } from './plugin-tree.ts';
import { isReadme } from './read-commands.ts';
import { nameOfFile } from './visible-text.ts';
import { msg } from '../../../messages/index.ts';

/** Reads every agent: `agents/**` if `useDefaults` is set, and what `declared` names. */
export async function readAgents(
  reading: PluginReading,
  declared: unknown,
  useDefaults: boolean,
): Promise<PluginAgent[]> {
  const { warnings } = reading;
  const request = { field: 'agents', value: declared, useDefaults } as const;
  const { files, others } = await markdownFiles(reading, request);
  for (const { from } of others) warnings.add(from, msg('contributions.agentNotPath'));
  const read = await inParallel(
    firstParts(files, 'agents', warnings),
    readsAtOnce,
    async ({ path, relativePath }) => {
      const part = await readMarkdownPart(reading, path);
      if (part === null || (!part.hasFields && isReadme(path))) return null;
      const name = part.name ?? nameOfFile(lastPartOf(relativePath));
      return { name, description: part.description, path };
    },
  );
  const agents = read.filter((agent) => agent !== null);
  return byName(agents, (agent) => agent.path, warnings);
}
