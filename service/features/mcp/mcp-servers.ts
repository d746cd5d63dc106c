import type {
  McpDefinition,
  McpReplacement,
  McpServerView,
  McpState,
} from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { type ConnectionPorts, McpConnection } from './connection/mcp-connection.ts';
import { StartLimiter } from './connection/start-limiter.ts';
import { nameTaken, unknownServer, type UserServerStore } from './definitions/user-server-store.ts';
import type { McpServer } from './definitions/server.ts';
import { viewOf } from './server-view.ts';
import { msg } from '../../messages/index.ts';

/** Time that adding a server waits for its connection. */
const firstAnswerMs = 2_000;

/**
 * All servers with their connections: those of the user, of the file named at launch, and of
 * plugins.
 */
export class McpServers {
  private readonly userServers: UserServerStore;
  private readonly ports: ConnectionPorts;
  private readonly connections = new Map<string, McpConnection>();
  private readonly onRemoved: (id: string) => void;

  /** `onRemoved` is called with the id of each removed server. */
  constructor(
    userServers: UserServerStore,
    ports: Omit<ConnectionPorts, 'startLimiter'>,
    onRemoved: (id: string) => void,
  ) {
    this.userServers = userServers;
    this.ports = { ...ports, startLimiter: new StartLimiter() };
    this.onRemoved = onRemoved;
  }

  /** Connects to all servers in the background. */
  start(builtIn: readonly McpServer[]): void {
    const all = [...builtIn, ...this.userServers.all()];
    for (const server of all) if (!this.connections.has(server.id)) void this.connect(server);
  }

  all(): McpConnection[] {
    return [...this.connections.values()];
  }

  states(): { name: string; state: McpState }[] {
    return this.all().map(({ server, state }) => ({ name: server.name, state }));
  }

  views(): McpServerView[] {
    return this.all().map(viewOf);
  }

  find(id: string): McpConnection | null {
    return this.connections.get(id) ?? null;
  }

  /** @throws HostError 404 `unknown_server` */
  get(id: string): McpConnection {
    const connection = this.connections.get(id);
    if (connection) return connection;
    throw unknownServer();
  }

  /**
   * Adds and connects a server.
   * @throws HostError `invalid_server`, `name_taken`, `too_many_servers`
   */
  async add(definition: McpDefinition): Promise<McpServerView> {
    this.checkName(definition.name, null);
    return this.connectAndView(await this.userServers.add(definition));
  }

  /**
   * Replaces and reconnects a server.
   * @throws HostError `unknown_server`, `built_in`, `invalid_server`, `name_taken`
   */
  async replace(id: string, replacement: McpReplacement): Promise<McpServerView> {
    this.own(id);
    this.checkName(replacement.name, id);
    return this.connectAndView(await this.userServers.replace(id, replacement));
  }

  /** Removes and disconnects a server. @throws HostError `unknown_server`, `built_in` */
  async remove(id: string): Promise<void> {
    this.own(id);
    await this.userServers.remove(id);
    this.onRemoved(id);
    const connection = this.connections.get(id);
    this.connections.delete(id);
    this.ports.onChanged?.();
    await connection?.close();
  }

  /** Reconnects the server and returns its new state. @throws HostError 404 `unknown_server` */
  async test(id: string): Promise<McpServerView> {
    const connection = this.get(id);
    await connection.reconnect();
    return viewOf(connection);
  }

  /**
   * Makes `desired` the connected servers of one origin; others of that origin are disconnected.
   */
  async settle(isOfOrigin: (server: McpServer) => boolean, desired: McpServer[]): Promise<void> {
    const same = new Set(desired.map((server) => JSON.stringify(server)));
    for (const connection of this.all()) {
      const { server } = connection;
      const { id } = server;
      if (!isOfOrigin(server) || same.has(JSON.stringify(server))) continue;
      this.connections.delete(id);
      this.ports.onChanged?.();
      await connection.close();
    }
    for (const server of desired) if (!this.connections.has(server.id)) void this.connect(server);
  }

  /** Reconnects servers after their capabilities have changed, when they are idle. */
  renew(): void {
    for (const connection of this.all()) void connection.renew();
  }

  private async connectAndView(server: McpServer): Promise<McpServerView> {
    const connection = await this.connect(server);
    await connection.settled(firstAnswerMs);
    return viewOf(connection);
  }

  /**
   * Waits for the end of the previous connection, also under concurrent changes of the same server.
   */
  private async connect(server: McpServer): Promise<McpConnection> {
    const connection = new McpConnection(server, this.ports);
    const before = this.connections.get(server.id);
    this.connections.set(server.id, connection);
    this.ports.onChanged?.();
    await before?.close();
    connection.start();
    return connection;
  }

  private own(id: string): McpConnection {
    const connection = this.get(id);
    if (!connection.server.builtIn) return connection;
    throw new HostError('conflict', 'built_in', msg('mcp.builtIn'));
  }

  private checkName(name: string, ownId: string | null): void {
    const taken = this.all().some(
      ({ server }) => server.id !== ownId && server.name.toLowerCase() === name.toLowerCase(),
    );
    if (taken) throw nameTaken(name);
  }

  async close(): Promise<void> {
    await Promise.all(this.all().map((connection) => connection.close()));
  }
}
