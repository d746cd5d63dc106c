import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { hostVersion } from '../../contract/index.ts';
import type { Topic } from '../../core/topic.ts';
import { problemForModel, type Tool, type ToolResult } from '../tools/index.ts';
import { approvalNeeded, loadApproval, type Peer } from './approval.ts';
import { CallProgress } from './call-progress.ts';
import { ListChanges } from './list-changes.ts';
import type { JudgedCall, ServedGate } from './served-gate.ts';
import { type HostText, textOf } from '../../messages/index.ts';

export interface ServeOptions {
  input: Readable;
  output: Writable;
  /** Null while the host is being set up: there are no tools then. */
  gate: (signal: AbortSignal) => ServedGate | null;
  /** Published when the tools may have changed. */
  toolsChanged: Topic<undefined>;
  /** Called with the message of a hook that failed. */
  warn: (message: HostText) => void;
}

export interface Served {
  close(): Promise<void>;
}

/** Speaks MCP of both eras over two streams, until they end. */
export async function serveTools(options: ServeOptions): Promise<Served> {
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const { McpServer } = await import('@modelcontextprotocol/server');
  const approval = await loadApproval();
  const transport = new StdioServerTransport(options.input, options.output);
  const never = new AbortController().signal;
  let changes: ListChanges | null = null;
  const factory = () => {
    const info = { name: 'plugin-host', version: hostVersion };
    const mcp = new McpServer(info, { capabilities: { tools: { listChanged: true } } });
    const { server } = mcp;
    const list = async (signal: AbortSignal) =>
      (await offered(options.gate(signal))).map(described);
    const own = new ListChanges(
      () => list(never),
      () => server.sendToolListChanged(),
    );
    changes = own;
    server.setRequestHandler('tools/list', async (_, { mcpReq }) => {
      const tools = await list(mcpReq.signal);
      own.recordSent(tools);
      return { tools };
    });
    server.setRequestHandler('tools/call', ({ params }, context) =>
      call(
        { ...options, approval, peer: server },
        { name: params.name, input: params.arguments ?? {} },
        context,
      ),
    );
    return mcp;
  };
  const served = serveStdio(factory, { transport });
  const stop = options.toolsChanged.subscribe(() => changes?.check());
  return {
    async close() {
      stop();
      await served.close();
    },
  };
}

/** What belongs to plugins, and workflows; commands and the web are for the chats of this host. */
const offered = async (gate: ServedGate | null): Promise<Tool[]> =>
  gate === null ? [] : (await gate.tools()).filter((tool) => tool.pluginId ?? tool.workflowId);

const described = ({ name, description, inputSchema, effect }: Tool) => ({
  name,
  description,
  inputSchema: { ...inputSchema, type: 'object' as const },
  annotations: { readOnlyHint: effect === 'read', openWorldHint: effect === 'external' },
});

interface CallOptions extends ServeOptions {
  approval: Awaited<ReturnType<typeof loadApproval>>;
  peer: Peer;
}

async function call(
  { gate: gateOf, warn, approval, peer }: CallOptions,
  { name, input: args }: { name: string; input: Record<string, unknown> },
  context: ServerContext,
) {
  const { signal, inputResponses } = context.mcpReq;
  const gate = gateOf(signal);
  const tool = (await offered(gate)).find((one) => one.name === name);
  if (!gate || !tool) return failed(`There is no tool ${name.slice(0, 200)}.`);
  const judged: JudgedCall = { callId: randomUUID(), tool, arguments: args };
  const judgement = await gate.judge(judged, warn);
  const { verdict, reason } = judgement;
  if (verdict === 'invalid') return failed(problemForModel(judgement));
  if (verdict === 'deny') return failed(textOf(reason));
  if (verdict === 'ask') {
    if (!approval.canAsk(peer, context)) return failed(approvalNeeded(tool, judgement));
    const decision = approval.decisionIn(inputResponses);
    if (decision === 'missing') return approval.question(tool, args, textOf(reason));
    if (decision === 'reject') return failed('The user rejected this call.');
  }
  const progress = new CallProgress(context);
  const result = await gate.run(tool, args, {
    callId: judged.callId,
    signal,
    sandboxed: true,
    ...(progress.isRequested
      ? { onProgress: (text: string, percent?: number) => progress.report(text, percent) }
      : {}),
  });
  await progress.settled();
  await gate.ran(judged, result, warn);
  return contentOf(result);
}

const failed = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
});

const contentOf = ({ success, output, images = [] }: ToolResult): CallToolResult => ({
  content: [
    { type: 'text', text: output },
    ...images.map(({ mimeType, data }) => ({ type: 'image' as const, mimeType, data })),
  ],
  ...(success ? {} : { isError: true }),
});
