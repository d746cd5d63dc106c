/** MCP servers: kept connected, their tools in the catalog. */
import type { Route } from '../../http/route.ts';
import type { Log } from '../../platform/log.ts';
import type { Processes } from '../../platform/processes.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { ToolSource } from '../tools/index.ts';
import { serversOfFile } from './built-in-servers.ts';
import { openTransport } from './connection/open-transport.ts';
import { KeptServers, type ServerStore } from './definitions/kept-servers.ts';
import type { McpServer } from './definitions/server.ts';
import { McpServers } from './mcp-servers.ts';
import { SignIns } from './oauth/sign-ins.ts';
import { mcpRoutes } from './routes.ts';
import { McpToolSource } from './tools/mcp-tool-source.ts';

export interface McpOptions {
  store: ServerStore;
  secrets: Secrets;
  processes: Processes;
  /** Where servers run that name no folder of their own. */
  directory: string;
  /** Names the servers that are there from the start; null: none. */
  serversFile: string | null;
  /** `ip:port` that servers of public networks may send to when somebody signs in. */
  webAllow: readonly string[];
  log: Log;
}

export interface McpFeature {
  routes: Route[];
  servers: McpServers;
  tools: ToolSource;
  lostSecrets(): string[];
  /** Connects in the background. */
  start(): void;
  close(): Promise<void>;
}

export async function createMcp(options: McpOptions): Promise<McpFeature> {
  const { processes, directory, serversFile, log } = options;
  const kept = await KeptServers.open(options.store, options.secrets);
  const signIns = new SignIns({
    ...{ kept, allow: options.webAllow },
    listener: {
      signedIn: (id) =>
        void servers
          .find(id)
          ?.reconnect()
          .catch(() => undefined),
      signInNeeded: (id, message) => servers.find(id)?.needsSignIn(message),
    },
  });
  const servers = new McpServers(
    kept,
    (server, note) => openTransport(server, note, { processes, directory, signIns }),
    (id) => signIns.end(id),
  );
  const ofFile = async (): Promise<McpServer[]> => {
    const names = kept.all().map(({ name }) => name);
    return serversFile === null ? [] : serversOfFile(serversFile, names, log);
  };
  return {
    routes: mcpRoutes(servers, signIns),
    servers,
    tools: new McpToolSource(() => servers.all()),
    lostSecrets: () => kept.lostSecrets(),
    start: () => void ofFile().then((found) => servers.start(found)),
    close: () => {
      signIns.close();
      return servers.close();
    },
  };
}
