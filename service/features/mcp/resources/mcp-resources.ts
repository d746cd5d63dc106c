import { HostError } from '../../../core/host-error.ts';
import type { McpConnection } from '../connection/mcp-connection.ts';
import type { McpSession } from '../connection/mcp-session.ts';

/** A person waits for both. */
const connectLimitMs = 10_000;
const readLimitMs = 15_000;
/** What servers answer where there is no such resource: the code of before, and that of today. */
const unknownCodes = new Set([-32_002, -32_602]);

export interface ReadResource {
  /** The name of the server. */
  server: string;
  pieces: { mimeType?: string | undefined; text?: string; blob?: string }[];
}

/** The resources of servers, for whoever attaches them to what they say. */
export class McpResources {
  private readonly connection: (serverId: string) => McpConnection;

  /** `connection` throws 404 `unknown_server`. */
  constructor(connection: (serverId: string) => McpConnection) {
    this.connection = connection;
  }

  /** @throws HostError `unknown_server`, `unknown_resource`, `mcp_unavailable` and other faults of servers */
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

/** A server that cannot be reached at all is one that is not there. */
async function ready(connection: McpConnection): Promise<McpSession> {
  try {
    return await connection.ready(connectLimitMs);
  } catch (error) {
    if (!(error instanceof HostError) || !error.kind.startsWith('upstream')) throw error;
    throw new HostError('unavailable', 'mcp_unavailable', error.text, { cause: error });
  }
}
