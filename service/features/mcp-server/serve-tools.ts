import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { hostVersion } from '../../contract/index.ts';
import { problemForModel, type Tool, type ToolResult, type ToolRun } from '../tools/index.ts';

interface JudgedCall {
  callId: string;
  tool: Tool;
  arguments: Record<string, unknown>;
}

/** Rules, hooks and mode around every call, as in a chat that asks for approval. */
export interface ServedGate {
  tools(): Promise<Tool[]>;
  judge(
    call: JudgedCall,
    warn: (message: string) => void,
  ): Promise<{ verdict: 'allow' | 'ask' | 'deny' | 'invalid'; reason: string }>;
  run(tool: Tool, given: Record<string, unknown>, run: ToolRun): Promise<ToolResult>;
  ran(call: JudgedCall, result: ToolResult, warn: (message: string) => void): Promise<void>;
}

export interface ServeOptions {
  input: Readable;
  output: Writable;
  /** Null while the host is being set up: there are no tools then. */
  gate: (signal: AbortSignal) => ServedGate | null;
  /** Told of hooks that failed. */
  warn: (message: string) => void;
}

export interface Served {
  close(): Promise<void>;
}

/** Speaks MCP of both eras over two streams, until they end. */
export async function serveTools(options: ServeOptions): Promise<Served> {
  const { Server } = await import('@modelcontextprotocol/server');
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const asked = await askTools();
  const transport = new StdioServerTransport(options.input, options.output);
  const factory = () => {
    const info = { name: 'plugin-host', version: hostVersion };
    const server = new Server(info, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', async (_, { mcpReq }) => ({
      tools: (await offered(options.gate(mcpReq.signal))).map(described),
    }));
    server.setRequestHandler('tools/call', ({ params }, context) =>
      call(options, asked, { name: params.name, given: params.arguments ?? {} }, context),
    );
    return server;
  };
  return serveStdio(factory, { transport });
}

/** What belongs to plugins, and workflows; commands and the web are for the chats of this host. */
const offered = async (gate: ServedGate | null): Promise<Tool[]> =>
  gate === null ? [] : (await gate.tools()).filter((tool) => tool.pluginId ?? tool.workflowId);

const described = ({ name, description, inputSchema, effect }: Tool) => ({
  ...{ name, description },
  inputSchema: { ...inputSchema, type: 'object' as const },
  annotations: { readOnlyHint: effect === 'read', openWorldHint: effect === 'external' },
});

async function call(
  { gate: gateOf, warn }: ServeOptions,
  asked: Asked,
  { name, given }: { name: string; given: Record<string, unknown> },
  context: ServerContext,
) {
  const { signal, inputResponses } = context.mcpReq;
  const gate = gateOf(signal);
  const tool = (await offered(gate)).find((one) => one.name === name);
  if (!gate || !tool) return failed(`There is no tool ${name.slice(0, 200)}.`);
  const judged: JudgedCall = { callId: randomUUID(), tool, arguments: given };
  const judgement = await gate.judge(judged, warn);
  const { verdict, reason } = judgement;
  if (verdict === 'invalid') return failed(problemForModel(judgement));
  if (verdict === 'deny') return failed(reason);
  if (verdict === 'ask') {
    const word = asked.wordIn(inputResponses);
    if (word === 'missing') return asked.question(tool, given, reason);
    if (word === 'reject') return failed('The user rejected this call.');
  }
  const result = await gate.run(tool, given, {
    ...{ callId: judged.callId, signal, sandboxed: true },
  });
  await gate.ran(judged, result, warn);
  return contentOf(result);
}

type Asked = Awaited<ReturnType<typeof askTools>>;

/** The question for a decision, which the client brings to its person. */
async function askTools() {
  const { inputRequired, inputResponse } = await import('@modelcontextprotocol/server');
  return {
    question: (tool: Tool, given: Record<string, unknown>, reason: string) =>
      inputRequired({
        inputRequests: {
          decision: inputRequired.elicit({
            message: `${tool.name} wants to run with ${JSON.stringify(given).slice(0, 2_000)}. ${reason}`,
            requestedSchema: {
              type: 'object',
              properties: { allow: { type: 'boolean', title: 'Allow this call once' } },
              required: ['allow'],
            },
          }),
        },
      }),
    wordIn(responses: Record<string, unknown> | undefined): 'missing' | 'allow' | 'reject' {
      const said = inputResponse(responses, 'decision');
      if (said.kind !== 'elicit') return 'missing';
      return said.action === 'accept' && said.content?.['allow'] === true ? 'allow' : 'reject';
    },
  };
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
