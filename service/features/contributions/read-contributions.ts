import type { PluginContentNames, PluginTrust } from '../../contract/index.ts';
import type { Message } from '../../messages/index.ts';
import type { Plugin } from '../plugins/index.ts';
import type { PluginContents } from './contents/plugin-contents.ts';
import { contentsOf } from './contents-of.ts';
import { withUniqueNames } from './hooks/hook-names.ts';
import { parseHooks } from './hooks/parse-hooks.ts';
import type { PluginHook } from './hooks/plugin-hook.ts';

/** Everything that a plugin contributes, with its hooks parsed. */
export interface PluginContributions {
  contents: PluginContents;
  hooks: PluginHook[];
  warnings: { part: string; reason: Message }[];
}

/** A copy of a plugin, installed or not: its files and their origin. */
export type PluginCopy = Pick<Plugin, 'id' | 'directory' | 'origin'>;

/** Reads the contributions from disk. Unusable parts are warnings. */
export async function readContributions(copy: PluginCopy): Promise<PluginContributions> {
  const contents = await contentsOf(copy);
  const parsed = contents.hookDocuments.map(({ from, document }) =>
    parseHooks(document, copy.id, from),
  );
  return {
    contents,
    hooks: withUniqueNames(parsed.flatMap(({ hooks }) => hooks)),
    warnings: [...contents.warnings, ...parsed.flatMap(({ warnings }) => warnings)],
  };
}

/** Undefined if the plugin contributes nothing. */
export function namesOf({ contents, hooks }: PluginContributions): PluginContentNames | undefined {
  const names: PluginContentNames = {
    skills: contents.skills.map(({ name }) => name),
    commands: contents.commands.map(({ name }) => name),
    agents: contents.agents.map(({ name }) => name),
    hooks: hooks.map(({ name }) => name),
    mcpServers: contents.mcpServers.map(({ name }) => name),
  };
  return Object.values(names).some((list) => list.length > 0) ? names : undefined;
}

/** The command or address of each server, without its secrets. */
export const serversOf = ({ contents }: PluginContributions): PluginTrust['servers'] =>
  contents.mcpServers.map(({ name, transport, command, args, url }) => ({
    name,
    transport,
    command,
    args,
    url,
  }));
