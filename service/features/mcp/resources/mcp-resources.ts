import { HostError } from '../../../core/host-error.ts';
import type { McpConnection } from '../connection/mcp-connection.ts';
import type { McpSession } from '../connection/mcp-session.ts';

/** Time limit while the user waits for the connection. */
const connectLimitMs = 10_000;
const readLimitMs = 15_000;
/** JSON-RPC codes of unknown resources: the legacy and the current one. */
const unknownCodes = new Set([-32_002, -32_602]);

/** The contents of a resource. */
export interface ReadResource {
  /** Name of the server. */
  server: string;
  pieces: { mimeType?: string | undefined; text?: string; blob?: string }[];
}

/** Reads resources of servers for messages of the chat. */
export class McpResources {
  private readonly connection: (serverId: string) => McpConnection;

  /** @throws HostError 404 `unknown_server` from `connection` */
  constructor(connection: (serverId: string) => McpConnection) {
    this.connection = connection;
  }

  /**
   * @throws HostError `unknown_server`, `unknown_resource`, `mcp_unavailable` and other errors of
   * servers
   */
  async read(
    { serverId, uri }: { serverId: string; uri: string },
    signal: AbortSignal,
  ): Promise<ReadResource> {
    const connection = this.connection(serverId);
    const session = await ready(connection);
    try {
      const limits = { signal, timeout: readLimitMs, maxTotalTimeout: readLimitMs };
      const { contents } = await session.using(() => session.client.readResource({ uri }, limits));
      return { server: connection.server.name, pieces: contents };
    } catch (error) {
      const hostError = connection.toHostError(error, session.endReason);
      if (hostError.rpcCode === undefined || !unknownCodes.has(hostError.rpcCode)) throw hostError;
      throw new HostError('missing', 'unknown_resource', hostError.text, { cause: error });
    }
  }
}

/** Reports a server that cannot be connected as unavailable. */
async function ready(connection: McpConnection): Promise<McpSession> {
  try {
    return await connection.ready(connectLimitMs);
  } catch (error) {
    if (!(error instanceof HostError) || !error.kind.startsWith('upstream')) throw error;
    throw new HostError('unavailable', 'mcp_unavailable', error.text, { cause: error });
  }
}
