/** The folders and settings that variables in hooks and servers stand for. */
export interface PluginRoots {
  /** Folder in which the plugin is installed. */
  root: string;
  /** Data folder of the plugin. */
  data: string;
  /** Settings as text, for `${user_config.<key>}`; unset ones are empty. */
  settings: Readonly<Record<string, string>>;
}

/** Matches `${user_config.<key>}` and captures the key. */
export const settingReference = /\$\{user_config\.([A-Za-z_][\w.-]{0,99})\}/g;

/** Environment variable of a setting, named as in other hosts. */
export const settingVariable = (key: string): string =>
  `CLAUDE_PLUGIN_OPTION_${key.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}`;

/** The host's own prefix first, then those of the tools that most plugins are written for. */
const prefixes = ['HOST_', 'CLAUDE_', ''];

const names = '(?:HOST_|CLAUDE_)?PLUGIN_(?:ROOT|DATA)';
const onUnix = new RegExp(`\\$\\{${names}\\}|\\$${names}(?!\\w)`, 'g');
const onWindows = new RegExp(`${onUnix.source}|%${names}%`, 'gi');

/**
 * Replaces `${HOST_PLUGIN_ROOT}`, `$CLAUDE_PLUGIN_DATA`, on Windows `%PLUGIN_ROOT%` and the like by
 * the two folders.
 */
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

/** Environment variables of executable parts: the plugin's two folders and its settings. */
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
