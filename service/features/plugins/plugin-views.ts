import type { InstalledPluginDescriptor } from '../../contract/index.ts';
import type { Plugin, PluginHost } from './plugin-host.ts';

/** Returns the API view of an installed plugin. `baseUrl` is the loopback address of this host. */
export function descriptorOf(
  host: PluginHost,
  plugin: Plugin,
  baseUrl: string,
): InstalledPluginDescriptor {
  const { id, name, description, category, icon, author, permissions, ui, aiTools } =
    plugin.manifest;
  const { origin } = plugin;
  const page = ui.entry.replace(/^ui\//, '').split('/').map(encodeURIComponent).join('/');
  return {
    id,
    name,
    description,
    category,
    icon,
    version: versionOf(plugin),
    installedAt: plugin.installedAt.toISOString(),
    uiEntry: origin === null ? `${baseUrl}/plugin-runtime/${id}/${page}` : '',
    author,
    permissions,
    enabled: plugin.enabled,
    iconStyle: 'BLUE',
    supportsAi: aiTools.length > 0,
    source: plugin.source,
    ...host.stateOf(plugin),
    ...configFacts(host, plugin),
    ...(plugin.isDeveloped ? { isDeveloped: true as const } : {}),
  };
}

function configFacts(
  host: PluginHost,
  plugin: Plugin,
): Pick<InstalledPluginDescriptor, 'userConfig' | 'missingConfig'> {
  const { userConfig } = plugin.manifest;
  if (Object.keys(userConfig).length === 0) return {};
  const missing = host.missingConfigOf(plugin);
  return missing.length === 0 ? { userConfig } : { userConfig, missingConfig: missing };
}

/** For a plugin from git without a version, the shortened commit. */
const versionOf = ({ manifest, origin }: Plugin): string =>
  origin === null ? manifest.version : (origin.version ?? origin.commit.slice(0, 12));

const icons: Record<string, string> = {
  productivity: 'checklist',
  developer: 'code',
  data: 'database',
  documents: 'file-text',
  media: 'photo',
  communication: 'message',
  ai: 'sparkles',
  system: 'settings',
  utilities: 'tool',
  other: 'dots',
};

/** A category that this list lacks is stored and displayed as `other`. */
export const pluginCategories = Object.entries(icons).map(([id, icon]) => ({
  id,
  labelKey: `plugin.category.${id}`,
  icon,
}));
