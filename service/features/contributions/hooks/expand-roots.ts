export interface PluginRoots {
  /** The folder that the plugin is installed in. */
  root: string;
  /** The folder that it keeps its data in. */
  data: string;
  /** Its settings as text, for `${user_config.<key>}`; empty where nothing is set. */
  settings: Readonly<Record<string, string>>;
}

/** `${user_config.<key>}`, with the key. */
export const settingReference = /\$\{user_config\.([A-Za-z_][\w.-]{0,99})\}/g;

/** The variable that holds a setting, named as other hosts name it. */
export const settingVariable = (key: string): string =>
  `CLAUDE_PLUGIN_OPTION_${key.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}`;

/** The host's own name comes first; the others are those of the tools that most plugins were written for. */
const prefixes = ['HOST_', 'CLAUDE_', ''];

const names = '(?:HOST_|CLAUDE_)?PLUGIN_(?:ROOT|DATA)';
const onUnix = new RegExp(`\\$\\{${names}\\}|\\$${names}(?!\\w)`, 'g');
const onWindows = new RegExp(`${onUnix.source}|%${names}%`, 'gi');

/** Puts the two folders in place of `${HOST_PLUGIN_ROOT}`, `$CLAUDE_PLUGIN_DATA`, on Windows `%PLUGIN_ROOT%` and so on. */
export function expandRoots(
  text: string,
  roots: PluginRoots,
  platform: NodeJS.Platform = process.platform,
): string {
  const { root, data, settings } = roots;
  return text
    .replace(platform === 'win32' ? onWindows : onUnix, (variable: string) =>
      /ROOT[}%]?$/i.test(variable) ? root : data,
    )
    .replace(settingReference, (written: string, key: string) =>
      Object.hasOwn(settings, key) ? (settings[key] ?? '') : written,
    );
}

/** The environment variables of what a plugin brings that runs: its two folders, and its settings. */
export function hookVariables(roots: PluginRoots): Record<string, string> {
  const folders = prefixes.flatMap((prefix) => [
    [`${prefix}PLUGIN_ROOT`, roots.root],
    [`${prefix}PLUGIN_DATA`, roots.data],
  ]);
  const settings = Object.entries(roots.settings).map(([key, value]) => [
    settingVariable(key),
    value,
  ]);
  return Object.fromEntries([...folders, ...settings]) as Record<string, string>;
}
