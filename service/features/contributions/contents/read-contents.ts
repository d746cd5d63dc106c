import type { DeclaredParts, PluginContents } from './plugin-contents.ts';
import { startReading } from './plugin-reading.ts';
import { readAgents } from './read-agents.ts';
import { readCommands } from './read-commands.ts';
import { readHookDocuments } from './read-hook-documents.ts';
import { readMcpServers } from './read-mcp-servers.ts';
import { readSkills } from './read-skills.ts';

/**
 * Reads the parts of an installed plugin in the default locations and those that `declared` names.
 * With `onlyDeclared` it reads only the latter, unless `declared` is empty. Everything is sorted by
 * name; unusable parts are warnings, never errors.
 */
export async function readContents(
  directory: string,
  declared: DeclaredParts,
  options: { onlyDeclared: boolean },
): Promise<PluginContents> {
  const reading = await startReading(directory);
  const namesParts = Object.values(declared).some((part) => part !== undefined && part !== null);
  const useDefaults = !options.onlyDeclared || !namesParts;
  const [skills, commands, agents, hookDocuments, mcpServers] = await Promise.all([
    readSkills(reading, declared.skills, { useDefaults, directory }),
    readCommands(reading, declared.commands, useDefaults),
    readAgents(reading, declared.agents, useDefaults),
    readHookDocuments(reading, declared.hooks, useDefaults),
    readMcpServers(reading, declared.mcpServers, useDefaults),
  ]);
  return { skills, commands, agents, hookDocuments, mcpServers, warnings: reading.warnings.list() };
}
