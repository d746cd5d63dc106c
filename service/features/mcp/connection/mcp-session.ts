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
import { isStreamEnd, meansGone, messageOf } from './session-faults.ts';
import { SessionWatch } from './session-watch.ts';
import { StdioTransport } from './stdio-transport.ts';
import { watchStreams } from './watch-streams.ts';

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
/** Programs of before that ignore what they do not know say nothing at all. */
const probeLimitMs = 3_000;
/** Remote ones do say something, but some are woken up by it first. */
const remoteProbeLimitMs = 20_000;
const pingLimitMs = 10_000;
const listLimitMs = 30_000;
const maxPages = 64;
const maxTools = 1_000;
const maxListed = 5_000;

/** A connection to a server, from its handshake to its end. */
export class McpSession {
  readonly client: Client;
  tools: Tool[] = [];
  /** The server has more tools than are taken. */
  hasMoreTools = false;
  readonly questions = new Questions();
  private readonly transport: Transport & { ending?: string | null };
  private readonly watch: SessionWatch | null;
  private lostBecause: string | null = null;

  private constructor(client: Client, transport: Transport) {
    this.client = client;
    this.transport = transport;
    // The end of a process shows by itself.
    const isRemote = !(transport instanceof StdioTransport);
    this.watch = isRemote ? new SessionWatch(() => this.checkThere()) : null;
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
    const transport = await options.transport();
    const client = await newClient(transport, options);
    const session = new McpSession(client, transport);
    client.setRequestHandler('elicitation/create', ({ params }) =>
      session.questions.ask(params as unknown as Question),
    );
    const over = AbortSignal.any([options.signal, AbortSignal.timeout(connectLimitMs)]);
    const prior = era === 'legacy' ? { prior: { kind: 'legacy' } as const } : {};
    try {
      await unless(
        over,
        client.connect(transport, { timeout: connectLimitMs, signal: over, ...prior }),
      );
      session.follow();
      await session.listTools(options.signal);
      return session;
    } catch (error) {
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
      throw error;
    }
  }

  /** Why it ended, where it did. */
  get ending(): string | null {
    return this.lostBecause ?? this.transport.ending ?? null;
  }

  private follow(): void {
    if (!this.watch) return;
    if (this.transport.hasPerRequestStream === true) watchStreams(this.transport);
    this.client.onerror = (error) => {
      if (isStreamEnd(error)) this.lose('its stream of events ended');
      else this.watch?.look();
    };
  }

  /** Rejects when it is not there; a server that is only busy answers late. */
  async ping(): Promise<void> {
    const limit = { timeout: pingLimitMs };
    await (this.era === 'legacy' ? this.client.ping(limit) : this.client.discover(limit));
  }

  private async checkThere(): Promise<void> {
    try {
      await this.ping();
    } catch (error) {
      if (meansGone(error)) this.lose(`it no longer answers (${messageOf(error)})`);
    }
  }

  private lose(why: string): void {
    if (this.lostBecause !== null) return;
    this.lostBecause = why;
    void this.close().catch(() => undefined);
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
      return await this.waiting(
        this.client.callTool(
          { name: tool, arguments: given },
          {
            ...{ signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs },
            ...(onProgress ? { onprogress: onProgress } : {}),
            ...(toolDefinition ? { toolDefinition } : {}),
          },
        ),
      );
    } finally {
      done();
    }
  }

  /** Ends early when the server goes away meanwhile. */
  private waiting<T>(work: Promise<T>): Promise<T> {
    return this.watch ? this.watch.during(work) : work;
  }

  close(): Promise<void> {
    this.watch?.stop();
    return this.client.close();
  }
}

async function newClient(transport: Transport, options: SessionOptions): Promise<Client> {
  const { Client: SdkClient } = await import('@modelcontextprotocol/client');
  const timeoutMs = transport instanceof StdioTransport ? probeLimitMs : remoteProbeLimitMs;
  const client = new SdkClient(
    { name: 'plugin-host', version: hostVersion },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs } },
      // Schemas of strangers are not compiled; what they answer is shown as it is.
      jsonSchemaValidator: { getValidator: () => acceptAll },
      listChanged: {
        tools: { autoRefresh: false, onChanged: () => options.onToolsChanged() },
      },
    },
  );
  client.setNotificationHandler('notifications/message', ({ params }) =>
    options.onLog(params.level, textOf(params.data)),
  );
  client.onerror = () => undefined;
  return client;
}

/** What the work comes to, unless the signal says before that nobody waits for it. */
function unless<T>(over: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(over.reason as Error);
    if (over.aborted) stop();
    over.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => over.removeEventListener('abort', stop));
  });
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
