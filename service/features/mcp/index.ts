/** MCP servers: keeps them connected and their tools in the catalog. */
import type { LostSecret } from '../../contract/index.ts';
import type { Route } from '../../http/route.ts';
import type { Log } from '../../platform/log.ts';
import { createLoginPath } from '../../platform/login-path.ts';
import type { Processes } from '../../platform/processes.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { ToolSource } from '../tools/index.ts';
import { serversOfFile } from './built-in-servers.ts';
import type { ConnectionPorts } from './connection/mcp-connection.ts';
import { openTransport } from './connection/open-transport.ts';
import { UserServerStore, type ServerStore } from './definitions/user-server-store.ts';
import type { McpServer } from './definitions/server.ts';
import { McpServers } from './mcp-servers.ts';
import { PluginSignIns } from './oauth/plugin-sign-ins.ts';
import { SignIns } from './oauth/sign-ins.ts';
import { idStartOf, PluginServers, type PluginServersOptions } from './plugin-servers.ts';
import { McpPrompts } from './prompts/mcp-prompts.ts';
import { McpResources } from './resources/mcp-resources.ts';
import { importServers } from './import/import-servers.ts';
import { mcpRoutes } from './routes.ts';
import type { SamplingPorts } from './sampling/sampler.ts';
import { McpToolSource } from './tools/mcp-tool-source.ts';

/** Dependencies of the MCP feature. */
export interface McpOptions {
  store: ServerStore;
  /** Stores sign-ins at servers of plugins. */
  pluginSignIns: ServerStore;
  secrets: Secrets;
  /** Id of this host in its cluster; null on a single host. */
  hostId: string | null;
  processes: Processes;
  /** True if the host was opened from a desktop, where it has only the system's PATH. */
  isFromLauncher: boolean;
  /** Working directory of servers that name none. */
  directory: string;
  /** File with built-in servers; null: none. */
  serversFile: string | null;
  /** `ip:port` of private addresses that public servers may send to during a sign-in. */
  webAllow: readonly string[];
  log: Log;
  /** The settings for sampling: enabled or not, and the model. */
  sampling: SamplingPorts;
  /** Enabled plugins whose present content is trusted. */
  trusted: PluginServersOptions['trusted'];
  dataDirectory: (pluginId: string) => string;
  configs: PluginServersOptions['configs'];
  /** Called after each tool call with the name of its server. */
  onCall: NonNullable<ConnectionPorts['onCall']>;
  /** Called when a server was added, removed or changed its state. */
  onChanged: NonNullable<ConnectionPorts['onChanged']>;
}

/** The MCP feature; `close` disconnects all servers. */
export interface McpFeature {
  routes: Route[];
  servers: McpServers;
  /** Servers of trusted plugins; must be refreshed when these may have changed. */
  ofPlugins: PluginServers;
  tools: ToolSource;
  /** Must be called when sampling was switched on or off. */
  samplingSwitched(): void;
  /** Removes the sign-ins at servers of an uninstalled plugin. */
  forgetPlugin(id: string): Promise<void>;
  /** Prompts of servers as commands of the chat. */
  prompts: McpPrompts;
  /** Resources of servers for messages of the chat. */
  resources: McpResources;
  /**
   * Adds the servers of another program, or only previews them; values are never returned.
   * @throws HostError 400 `no_servers`
   */
  importServers: (document: unknown, isDryRun: boolean) => ReturnType<typeof importServers>;
  lostSecrets(): LostSecret[];
  /** Connects to the servers that other hosts have added, and leaves those that they removed. */
  reload(): Promise<void>;
  /** Connects in the background. */
  start(): void;
  close(): Promise<void>;
}

const isOfUser = ({ builtIn, pluginId }: McpServer): boolean => !builtIn && pluginId === undefined;

export async function createMcp(options: McpOptions): Promise<McpFeature> {
  const { processes, directory, isFromLauncher, serversFile, log } = options;
  const userServers = await UserServerStore.open(options.store, options.secrets, options.hostId);
  const pluginSignIns = await PluginSignIns.open(options.pluginSignIns, options.secrets);
  const signIns = new SignIns({
    stores: { own: userServers, ofPlugins: pluginSignIns },
    allow: options.webAllow,
    listener: {
      signedIn: (id) =>
        void servers
          .find(id)
          ?.reconnect()
          .catch(() => undefined),
      signInNeeded: (id, message) => servers.find(id)?.requireSignIn(message),
    },
  });
  const ports = { processes, directory, isFromLauncher, signIns };
  const loginPath = createLoginPath(processes);
  const servers = new McpServers(
    userServers,
    {
      transport: (server, addLog) => openTransport(server, addLog, { ...ports, loginPath }),
      sampling: options.sampling,
      onCall: options.onCall,
      onChanged: options.onChanged,
      onFailed: (name, message) => log.warn('mcp', `${name}: ${message}`),
    },
    (id) => signIns.end(id),
  );
  const ofFile = async (): Promise<McpServer[]> => {
    const names = userServers.all().map(({ name }) => name);
    return serversFile === null ? [] : serversOfFile(serversFile, names, log);
  };
  const ofPlugins = new PluginServers({ ...options, servers });
  return {
    routes: mcpRoutes(servers, signIns),
    servers,
    ofPlugins,
    tools: new McpToolSource(() => servers.all()),
    samplingSwitched: () => servers.renew(),
    forgetPlugin: (id) => pluginSignIns.forget(idStartOf(id)),
    importServers: (document, isDryRun) => importServers(servers, document, isDryRun),
    prompts: new McpPrompts(() => servers.all()),
    resources: new McpResources((id) => servers.get(id)),
    lostSecrets: () => userServers.lostSecrets(),
    async reload() {
      await userServers.reload();
      await servers.settle(isOfUser, userServers.all());
    },
    start: () =>
      void ofFile().then((found) => {
        servers.start(found);
        return ofPlugins.refresh();
      }),
    async close() {
      signIns.close();
      await ofPlugins.close();
      await servers.close();
    },
  };
}
