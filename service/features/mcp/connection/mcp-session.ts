import type {
  CallToolResult,
  Client,
  JsonSchemaValidatorResult,
  Prompt,
  Resource,
  Tool,
  Transport,
} from '@modelcontextprotocol/client';
import { hostVersion } from '../../../contract/index.ts';
import type { Answer, Question } from './questions.ts';
import { Questions } from './questions.ts';

export type Era = 'legacy' | 'modern';

export interface SessionOptions {
  /** A fresh one for each attempt. */
  transport: () => Promise<Transport>;
  /** What the server was the last time; spares the question. */
  era: Era | null;
  signal: AbortSignal;
  onToolsChanged: () => void;
  onLog: (level: string, message: string) => void;
}

export interface CallOptions {
  signal: AbortSignal;
  timeoutMs: number;
  onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
  /** Where nobody can be asked, questions are declined. */
  ask?: (question: Question) => Promise<Answer>;
}

const connectLimitMs = 60_000;
/** Servers of before that ignore what they do not know say nothing at all. */
const probeLimitMs = 3_000;
const listLimitMs = 30_000;
const maxPages = 64;
export const maxTools = 1_000;
const maxListed = 5_000;

/** A connection to a server, from its handshake to its end. */
export class McpSession {
  readonly client: Client;
  tools: Tool[] = [];
  /** The server has more tools than are taken. */
  hasMoreTools = false;
  readonly questions = new Questions();

  private constructor(client: Client) {
    this.client = client;
  }

  /** Connects and asks for the tools. Rejects with whatever went wrong; nothing is left running then. */
  static async open(options: SessionOptions): Promise<McpSession> {
    try {
      return await McpSession.attempt(options, options.era);
    } catch (error) {
      // Some servers of before end at the first thing that they do not know.
      if (options.era !== null || options.signal.aborted || !mayBeOld(error)) throw error;
      return McpSession.attempt(options, 'legacy');
    }
  }

  private static async attempt(options: SessionOptions, era: Era | null): Promise<McpSession> {
    const { Client: SdkClient } = await import('@modelcontextprotocol/client');
    const client = new SdkClient(
      { name: 'plugin-host', version: hostVersion },
      {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeLimitMs } },
        // Schemas of strangers are not compiled; what they answer is shown as it is.
        jsonSchemaValidator: { getValidator: () => acceptAll },
        listChanged: {
          tools: { autoRefresh: false, onChanged: () => options.onToolsChanged() },
        },
      },
    );
    const session = new McpSession(client);
    client.setRequestHandler('elicitation/create', ({ params }) =>
      session.questions.ask(params as unknown as Question),
    );
    client.setNotificationHandler('notifications/message', ({ params }) =>
      options.onLog(params.level, textOf(params.data)),
    );
    client.onerror = () => undefined;
    const transport = await options.transport();
    try {
      await client.connect(transport, {
        ...{ timeout: connectLimitMs, signal: options.signal },
        ...(era === 'legacy' ? { prior: { kind: 'legacy' } } : {}),
      });
      await session.listTools(options.signal);
      return session;
    } catch (error) {
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
      throw error;
    }
  }

  get era(): Era {
    return this.client.getDiscoverResult() === undefined ? 'legacy' : 'modern';
  }

  get serverInfo(): { name: string; version: string } | undefined {
    const told = this.client.getServerVersion();
    return told && { name: told.name, version: told.version };
  }

  get protocolVersion(): string | undefined {
    return this.client.getNegotiatedProtocolVersion();
  }

  async listTools(signal?: AbortSignal): Promise<void> {
    if (!this.client.getServerCapabilities()?.tools) return;
    const { found, hasMore } = await pages(maxTools, async (cursor) => {
      const request = { method: 'tools/list', params: cursor } as const;
      const { tools, nextCursor } = await this.client.request(request, limits(signal));
      return { items: tools, nextCursor };
    });
    this.tools = found;
    this.hasMoreTools = hasMore;
  }

  async listPrompts(signal: AbortSignal): Promise<Prompt[]> {
    if (!this.client.getServerCapabilities()?.prompts) return [];
    const { found } = await pages(maxListed, async (cursor) => {
      const request = { method: 'prompts/list', params: cursor } as const;
      const { prompts, nextCursor } = await this.client.request(request, limits(signal));
      return { items: prompts, nextCursor };
    });
    return found;
  }

  async listResources(signal: AbortSignal): Promise<Resource[]> {
    if (!this.client.getServerCapabilities()?.resources) return [];
    const { found } = await pages(maxListed, async (cursor) => {
      const request = { method: 'resources/list', params: cursor } as const;
      const { resources, nextCursor } = await this.client.request(request, limits(signal));
      return { items: resources, nextCursor };
    });
    return found;
  }

  /** Rejects with errors of the protocol; a tool that failed is a result with `isError`. */
  async call(
    tool: string,
    given: Record<string, unknown>,
    { signal, timeoutMs, onProgress, ask }: CallOptions,
  ): Promise<CallToolResult> {
    const done = this.questions.during(ask);
    const toolDefinition = this.tools.find(({ name }) => name === tool);
    try {
      return await this.client.callTool(
        { name: tool, arguments: given },
        {
          ...{ signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs },
          ...(onProgress ? { onprogress: onProgress } : {}),
          ...(toolDefinition ? { toolDefinition } : {}),
        },
      );
    } finally {
      done();
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

const acceptAll = <T>(input: unknown): JsonSchemaValidatorResult<T> => ({
  ...{ valid: true, errorMessage: undefined },
  data: input as T,
});

const limits = (signal: AbortSignal | undefined) => ({
  timeout: listLimitMs,
  ...(signal ? { signal } : {}),
});

/** At most so many, whatever the server goes on to tell; a server may have no end of pages. */
async function pages<T>(
  most: number,
  read: (cursor: {
    cursor?: string;
  }) => Promise<{ items: readonly T[]; nextCursor: string | undefined }>,
): Promise<{ found: T[]; hasMore: boolean }> {
  const found: T[] = [];
  let cursor: { cursor?: string } = {};
  for (let page = 0; page < maxPages; page += 1) {
    const { items, nextCursor } = await read(cursor);
    const room = most - found.length;
    found.push(...items.slice(0, room));
    if (nextCursor === undefined) return { found, hasMore: items.length > room };
    if (found.length >= most) break;
    cursor = { cursor: nextCursor };
  }
  return { found, hasMore: true };
}

const textOf = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data));

/** Whether it went away at the question for its version, or said something that nobody expects. */
function mayBeOld(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'CONNECTION_CLOSED' || code === 'ERA_NEGOTIATION_FAILED';
}
