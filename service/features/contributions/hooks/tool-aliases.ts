/** How neighbouring tools call what the host has, so that hooks written for them fire. */
const aliases = new Map<string, readonly string[]>([
  [
    'execute_command',
    [
      'Bash',
      'Shell',
      'shell',
      'PowerShell',
      'local_shell',
      'exec_command',
      'run_shell_command',
      'run_terminal_cmd',
    ],
  ],
  ['web_fetch', ['WebFetch', 'webfetch', 'fetch_webpage']],
  ['web_search', ['WebSearch', 'websearch', 'google_web_search']],
  ['skill_load', ['Skill']],
  ['task_output', ['TaskOutput', 'BashOutput']],
  ['task_kill', ['TaskStop', 'KillShell', 'KillBash']],
]);

/** The other names of a tool of the host; none for most. */
export function toolAliases(tool: string): string[] {
  return [...(aliases.get(tool) ?? [])];
}

const pluginPrefix = 'mcp__plugin_';

/**
 * Every name under which `tool` can be meant in `matcher`, its own first. Neighbours put the plugin
 * into the names of its MCP tools (`mcp__plugin_<plugin>_<server>__<tool>`); where the plugin's name
 * ends is not marked, so each of the places where it can end is tried.
 */
export function namesOf(tool: string, matcher: string): string[] {
  const names = [tool, ...toolAliases(tool)];
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
