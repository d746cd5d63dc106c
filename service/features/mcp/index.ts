/** MCP servers: kept connected, their tools in the catalog. */
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
import { mcpRoutes } from './routes.ts';
import type { SamplingPorts } from './sampling/sampler.ts';
import { McpToolSource } from './tools/mcp-tool-source.ts';

export interface McpOptions {
  store: ServerStore;
  /** Where sign-ins at servers of plugins lie. */
  pluginSignIns: ServerStore;
  secrets: Secrets;
  processes: Processes;
  /** It was opened from a desktop, and has the PATH of the system alone. */
  isFromLauncher: boolean;
  /** Where servers run that name no folder of their own. */
  directory: string;
  /** Names the servers that are there from the start; null: none. */
  serversFile: string | null;
  /** `ip:port` that servers of public networks may send to when somebody signs in. */
  webAllow: readonly string[];
  log: Log;
  /** Whether servers may ask the model, and which one that is. */
  sampling: SamplingPorts;
  /** The plugins that are enabled, and trusted as they are at this moment. */
  trusted: PluginServersOptions['trusted'];
  dataDirectory: (pluginId: string) => string;
  configs: PluginServersOptions['configs'];
  /** Told of each call of a tool, by the name of its server. */
  onCall: NonNullable<ConnectionPorts['onCall']>;
  /** Told when a server was added or removed, or stands otherwise than before. */
  onChanged: NonNullable<ConnectionPorts['onChanged']>;
}

export interface McpFeature {
  routes: Route[];
  servers: McpServers;
  /** What trusted plugins bring; to be told when there may be others. */
  ofPlugins: PluginServers;
  tools: ToolSource;
  /** Whether servers may ask the model was switched. */
  samplingSwitched(): void;
  /** It was uninstalled: sign-ins at its servers are of no use any more. */
  forgetPlugin(id: string): Promise<void>;
  /** Their prompts as commands of the chat. */
  prompts: McpPrompts;
  /** What they hold, for what people say in the chat. */
  resources: McpResources;
  lostSecrets(): LostSecret[];
  /** Connects in the background. */
  start(): void;
  close(): Promise<void>;
}

export async function createMcp(options: McpOptions): Promise<McpFeature> {
  const { processes, directory, isFromLauncher, serversFile, log } = options;
  const userServers = await UserServerStore.open(options.store, options.secrets);
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
    prompts: new McpPrompts(() => servers.all()),
    resources: new McpResources((id) => servers.get(id)),
    lostSecrets: () => userServers.lostSecrets(),
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
