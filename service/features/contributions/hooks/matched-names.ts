/** A tool of the host with its names in other hosts. */
export interface NamedTool {
  name: string;
  aliases?: readonly string[] | undefined;
}

const pluginPrefix = 'mcp__plugin_';

/**
 * Every name that a tool can have in `matcher`, its own first. Other hosts put the plugin into the
 * names of MCP tools (`mcp__plugin_<plugin>_<server>__<tool>`); the end of the plugin's name is not
 * marked, so each possible end is tried.
 */
export function namesOf({ name: tool, aliases = [] }: NamedTool, matcher: string): string[] {
  const names = [tool, ...aliases];
  if (!tool.startsWith('mcp__') || !matcher.includes(pluginPrefix)) return names;
  const own = tool.slice('mcp__'.length);
  const plugins = [...matcher.matchAll(/mcp__plugin_([\w-]{0,200})/g)].flatMap(([, run = '']) =>
    run === '' ? ['plugin'] : possiblePlugins(run),
  );
  return [...names, ...new Set(plugins.map((plugin) => `${pluginPrefix}${plugin}_${own}`))];
}

function possiblePlugins(run: string): string[] {
  const ends = [...run.matchAll(/_|$/g)].map(({ index }) => run.slice(0, index));
  return ends.filter((name) => name !== '' && !name.endsWith('_') && !name.includes('__'));
}
