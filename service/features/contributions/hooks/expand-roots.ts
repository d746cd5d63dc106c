export interface PluginPlaces {
  /** The folder that the plugin is installed in. */
  root: string;
  /** The folder that it keeps its data in. */
  data: string;
}

/** The host's own name comes first; the others are those of the tools that most plugins were written for. */
const prefixes = ['HOST_', 'CLAUDE_', ''];

const names = '(?:HOST_|CLAUDE_)?PLUGIN_(?:ROOT|DATA)';
const onUnix = new RegExp(`\\$\\{${names}\\}|\\$${names}(?!\\w)`, 'g');
const onWindows = new RegExp(`${onUnix.source}|%${names}%`, 'gi');

/** Puts the two folders in place of `${HOST_PLUGIN_ROOT}`, `$CLAUDE_PLUGIN_DATA`, on Windows `%PLUGIN_ROOT%` and so on. */
export function expandRoots(
  text: string,
  places: PluginPlaces,
  platform: NodeJS.Platform = process.platform,
): string {
  return text.replace(platform === 'win32' ? onWindows : onUnix, (variable: string) =>
    /ROOT[}%]?$/i.test(variable) ? places.root : places.data,
  );
}

/** The six environment variables of what a plugin brings that runs. */
export function hookVariables(places: PluginPlaces): Record<string, string> {
  return Object.fromEntries(
    prefixes.flatMap((prefix) => [
      [`${prefix}PLUGIN_ROOT`, places.root],
      [`${prefix}PLUGIN_DATA`, places.data],
    ]),
  );
}
