/**
 * Contributions of plugins besides pages and workers: skills, commands, agents, hooks, MCP servers.
 */
import type { Route } from '../../http/route.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { PluginHost } from '../plugins/index.ts';
import { Contributions } from './contributions.ts';
import { contributionRoutes } from './routes.ts';
import { TrustStore } from './trust-store.ts';

export type { Contributions, PluginSkill } from './contributions.ts';
export { namesOf, type PluginCopy, readContributions, serversOf } from './read-contributions.ts';
export { bodyOf, readPluginText } from './plugin-text.ts';
export { parseHooks } from './hooks/parse-hooks.ts';
export type { PluginHook } from './hooks/plugin-hook.ts';
export type { TrustedParts, TrustedPlugin } from './trusted-parts.ts';
export type { PluginAbout } from './contents/plugin-contents.ts';
export {
  expandRoots,
  hookVariables,
  type PluginRoots as PluginPlaces,
  settingReference,
  settingVariable,
} from './hooks/expand-roots.ts';
export { matcherProblem, matchesTool, namesMatched } from './hooks/matches-tool.ts';
export { packageHooks } from './contents/package-hooks.ts';
export { serversIn } from './contents/mcp-document.ts';
export type { WrittenOAuth } from './contents/mcp-oauth.ts';
export { mcpServerDefinition } from './contents/mcp-server-definition.ts';
export type { McpServerDefinition } from './contents/plugin-contents.ts';
export {
  languageServerFile,
  languageServersIn,
  mergedServers,
} from './contents/language-servers-in.ts';
export { readLanguageServers } from './contents/language-servers.ts';
export {
  manifestIn,
  manifestPaths,
  readPluginManifest,
  userConfigIn,
} from './contents/read-plugin-manifest.ts';

/** The contributions feature. */
export interface ContributionsFeature {
  contributions: Contributions;
  routes: Route[];
}

export function createContributions(
  database: Database,
  host: PluginHost,
  log: Log,
): ContributionsFeature {
  const contributions = new Contributions(host, new TrustStore(database));
  // A host that was killed while it uninstalled may have left a trust row.
  contributions.sweep().catch((error: unknown) => {
    log.error('plugins', 'Trust in plugins that are gone could not be forgotten', error);
  });
  return { contributions, routes: contributionRoutes(contributions) };
}
