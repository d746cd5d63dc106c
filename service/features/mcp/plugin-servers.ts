import { resolve } from 'node:path';
import { McpDefinition } from '../../contract/index.ts';
import type { Log } from '../../platform/log.ts';
import {
  expandRoots,
  hookVariables,
  type McpServerDefinition,
  type PluginPlaces,
  type TrustedPlugin,
} from '../contributions/index.ts';
import { missingReason, type PluginConfigs } from '../plugins/index.ts';
import { checkDefinition } from './definitions/user-server-store.ts';
import type { McpServer } from './definitions/server.ts';
import { freeName, safeName } from './import/safe-name.ts';
import type { McpServers } from './mcp-servers.ts';
import { issueMessages, textOf } from '../../messages/index.ts';

/** Interval of checks, since files may change without a notification. */
const recheckMs = 30_000;

/** Dependencies of the servers of plugins. */
export interface PluginServersOptions {
  servers: McpServers;
  /** Enabled plugins whose present content is trusted. */
  trusted: () => Promise<TrustedPlugin[]>;
  dataDirectory: (pluginId: string) => string;
  configs: Pick<PluginConfigs, 'textsOf' | 'missingOf'>;
  log: Log;
}

/** Prefix of the ids of a plugin's servers. */
export const idStartOf = (pluginId: string): string => `plugin:${pluginId}:`;

/** Keeps exactly the servers of trusted plugins connected. */
export class PluginServers {
  private readonly options: PluginServersOptions;
  /** The missing settings that prevent the start of a plugin's servers, by plugin id. */
  private readonly unconfigured = new Map<string, string>();
  private settling: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(options: PluginServersOptions) {
    this.options = options;
  }

  /** Applies the present state of trust; never rejects. */
  refresh(): Promise<void> {
    this.settling = this.settling
      .then(() => this.settle())
      .catch((error: unknown) =>
        this.options.log.error('mcp', 'The MCP servers of plugins could not be looked at', error),
      );
    return this.settling;
  }

  private async settle(): Promise<void> {
    clearTimeout(this.timer);
    const { servers, trusted } = this.options;
    const isOfPlugin = ({ pluginId }: McpServer): boolean => pluginId !== undefined;
    const others = servers.all().filter(({ server }) => !isOfPlugin(server));
    const taken = new Set(others.map(({ server }) => server.name.toLowerCase()));
    const ready = (await trusted()).filter(({ plugin }) => this.isConfigured(plugin));
    const desired = ready.flatMap(({ plugin, servers: definitions }) =>
      definitions.flatMap((definition) => {
        const server = this.serverOf(plugin, definition, taken);
        if (server) taken.add(server.name.toLowerCase());
        return server ? [server] : [];
      }),
    );
    await servers.settle(isOfPlugin, desired);
    if (desired.length > 0) this.timer = setTimeout(() => void this.refresh(), recheckMs).unref();
  }

  /** False while settings that its servers need are missing. */
  private isConfigured({ id, manifest }: TrustedPlugin['plugin']): boolean {
    const missing = this.options.configs.missingOf(manifest);
    const reason = missing.length === 0 ? '' : textOf(missingReason(manifest, missing));
    const isNew = this.unconfigured.get(id) !== reason;
    this.unconfigured.set(id, reason);
    if (reason !== '' && isNew)
      this.options.log.warn('mcp', `The MCP servers of ${manifest.name} wait: it ${reason}`);
    return reason === '';
  }

  private serverOf(
    plugin: TrustedPlugin['plugin'],
    written: McpServerDefinition,
    taken: ReadonlySet<string>,
  ): McpServer | null {
    const { dataDirectory, configs } = this.options;
    const settings = configs.textsOf(plugin.manifest);
    const roots = { root: plugin.directory, data: dataDirectory(plugin.id), settings };
    const definition = placed(written, roots);
    const wish = safeName(`${plugin.manifest.name}-${written.name}`);
    const name = freeName(wish, (other) => taken.has(other.toLowerCase()));
    const value = { ...definition, name, trustAnnotations: false };
    const parsed = McpDefinition.safeParse(value);
    const problem = parsed.success
      ? problemOf(parsed.data)
      : issueMessages(parsed.error.issues, value)[0]?.message;
    if (!parsed.success || problem !== undefined) {
      const { name: owner } = plugin.manifest;
      this.options.log.warn(
        'mcp',
        `The MCP server ${written.name} of ${owner} cannot be used: ${textOf(problem ?? '')}`,
      );
      return null;
    }
    const { env = {}, headers = {}, ...rest } = parsed.data;
    return {
      ...rest,

      id: `${idStartOf(plugin.id)}${written.name}`,
      pluginId: plugin.id,
      builtIn: true,
      headers,
      env: { ...hookVariables(roots), ...env },
    };
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.settling;
    clearTimeout(this.timer);
  }
}

/** Replaces the variables for the plugin's folders and settings in a definition. */
function placed(
  { timeoutSeconds, command, args, env, headers, cwd, url, ...rest }: McpServerDefinition,
  roots: PluginPlaces,
): object {
  const put = (text: string): string => expandRoots(text, roots);
  const putAll = (map: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(map).map(([name, text]) => [name, put(text)]));
  const program = command === undefined ? undefined : put(command);
  return {
    ...rest,
    ...(program === undefined ? {} : { command: fromRoot(program, roots.root) }),
    ...(program === undefined ? {} : { cwd: resolve(roots.root, put(cwd ?? '.')) }),
    ...(args ? { args: args.map(put) } : {}),
    ...(env ? { env: putAll(env) } : {}),
    ...(headers ? { headers: putAll(headers) } : {}),
    ...(url === undefined ? {} : { url: put(url) }),
    ...(timeoutSeconds === undefined ? {} : { callTimeoutSeconds: timeoutSeconds }),
  };
}

/** A path within the plugin, or the name of a program on this machine. */
const fromRoot = (command: string, root: string): string =>
  /[\\/]/.test(command) ? resolve(root, command) : command;

function problemOf(definition: McpDefinition): string | undefined {
  try {
    checkDefinition(definition);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
