import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as SdkClient, type Tool } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Client, createClient } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { McpConnection } from '../service/features/mcp/connection/mcp-connection.ts';
import { StartLimiter } from '../service/features/mcp/connection/start-limiter.ts';
import { McpToolSource } from '../service/features/mcp/tools/mcp-tool-source.ts';
import { ToolCatalog } from '../service/features/tools/tool-catalog.ts';
import { interleave, median, milliseconds, type Sample } from './harness/measure.ts';
import type { Server } from './harness/processes.ts';
import { compare, type Row } from './harness/table.ts';
import { healthPath, prepareHost, startHost, token } from './harness/two-servers.ts';
import { firstAnswer, requestOf, Wire } from './harness/wire.ts';
import { aServer } from '../service/testing/mcp/a-server.ts';

const callRounds = 15;
const callWarmUps = 4;
const callsPerSample = 200;
const connectRounds = 3;
const slowServers = 20;
const slowMs = 1_000;
/** The number that the host starts concurrently. */
const atOnce = 8;
const pollIntervalMs = 10;
const listRounds = 40;
const listWarmUps = 5;
const serversOfCatalog = 10;
const toolsOfCatalog = 1_000;

const bareServer = join(import.meta.dirname, 'bare', 'mcp-server.mjs');
const everything = join(
  dirname(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json'),
  ),
  ...['dist', 'index.js'],
);

/** Overhead of the host for MCP servers: on a call, on their start, on the list of their tools. */
export async function mcp(directory: string): Promise<Row[]> {
  const workDirectory = join(directory, 'work');
  await prepareHost(workDirectory);
  const host = await startHost(workDirectory);
  try {
    await firstAnswer(host.port, healthPath);
    const client = createClient({
      baseUrl: `http://127.0.0.1:${host.port}`,
      token: () => token,
    });
    return [await calls(host, client), await connects(client), await catalog()];
  } finally {
    await host.stop();
  }
}

/** A call of `echo` of server-everything over stdio, through the API and through a bare client. */
async function calls({ port }: Server, client: Client): Promise<Row> {
  const args = [everything, 'stdio'];
  const body = { mcpServers: { everything: { command: process.execPath, args } } };
  await client.call(api.mcp.import, { body, query: {} });
  await connected(client, 1);
  const [server] = await client.call(api.mcp.list);
  const bare = await openBare(args);
  const wire = await Wire.open(port);
  try {
    const path = api.mcp.call.path.replace('{id}', server?.id ?? '');
    const toolArguments = { message: 'How many words are in this sentence?' };
    const call = JSON.stringify({ tool: 'echo', arguments: toolArguments });
    const request = requestOf(port, `POST ${path}`, token, call);
    const pairs = await interleave(
      callRounds,
      {
        ours: typical(() => wire.ask(request)),
        bare: typical(() => bare.callTool({ name: 'echo', arguments: toolArguments })),
      },
      callWarmUps,
    );
    const sides = { ours: pairs.ours, other: pairs.bare, against: 'bare' as const };
    return compare({ name: 'MCP tool call', unit: 'ms', ...sides, target: { addedMs: 1 } });
  } finally {
    wire.close();
    await bare.close();
    await removeAll(client);
  }
}

/** The median time of one call. */
function typical(call: () => Promise<unknown>): Sample {
  return async () => {
    const times: number[] = [];
    for (let done = 0; done < callsPerSample; done += 1) times.push(await milliseconds(call));
    return median(times);
  };
}

/** Time until all slow servers have listed their tools. */
async function connects(client: Client): Promise<Row> {
  const args = [bareServer, String(slowMs)];
  const pairs = await interleave(connectRounds, {
    ours: async () => {
      const names = Array.from({ length: slowServers }, (_, number) => `slow-${number}`);
      const one = { command: process.execPath, args };
      const body = { mcpServers: Object.fromEntries(names.map((name) => [name, one])) };
      const started = performance.now();
      const imported = client.call(api.mcp.import, { body, query: {} });
      await connected(client, slowServers);
      const tookMs = performance.now() - started;
      await imported;
      await removeAll(client);
      return tookMs;
    },
    bare: async () => {
      const clients: SdkClient[] = [];
      let remaining = slowServers;
      const worker = async (): Promise<void> => {
        while (remaining > 0) {
          remaining -= 1;
          const opened = await openBare(args);
          clients.push(opened);
          await opened.listTools();
        }
      };
      const tookMs = await milliseconds(() => Promise.all(Array.from({ length: atOnce }, worker)));
      await Promise.all(clients.map((opened) => opened.close()));
      return tookMs;
    },
  });
  const sides = { ours: pairs.ours, other: pairs.bare, against: 'bare' as const };
  const name = `start of ${slowServers} MCP servers`;
  return compare({ name, unit: 'ms', ...sides, target: { most: 1.2 } });
}

/** Rebuilds the list of all tools after each server has listed its tools again. */
async function catalog(): Promise<Row> {
  const lists = Array.from({ length: serversOfCatalog }, (_, number) => connectionOf(number));
  const tools = new ToolCatalog((what, error) => {
    throw new Error(what, { cause: error });
  });
  tools.add(new McpToolSource(() => lists));
  const change = (): void => {
    for (const list of lists) list.tools = structuredClone(list.tools);
  };
  const pairs = await interleave(
    listRounds,
    {
      ours: async () => {
        change();
        const tookMs = await milliseconds(() => tools.list());
        if ((await tools.list()).length !== toolsOfCatalog) throw new Error('Tools are missing.');
        return tookMs;
      },
      bare: () => {
        change();
        const all = (): Promise<unknown> => Promise.resolve(lists.flatMap(plainTools));
        return milliseconds(all);
      },
    },
    listWarmUps,
  );
  const sides = { ours: pairs.ours, other: pairs.bare, against: 'bare' as const };
  const name = `catalog of ${toolsOfCatalog} MCP tools`;
  return compare({ name, unit: 'ms', ...sides, target: { mostMs: 20 } });
}

/** An unopened connection with the tools of server-everything. */
function connectionOf(number: number): McpConnection {
  const name = `server-${number}`;
  const limiter = new StartLimiter();
  const never = () => Promise.reject(new Error('Nobody connects here.'));
  const connection = new McpConnection(aServer(name), { startLimiter: limiter, transport: never });
  const text = { type: 'string', description: 'Which of them is to be read.' };
  const fields = Array.from({ length: 10 }, (_, at) => [`field_${at}`, text] as const);
  connection.tools = Array.from({ length: toolsOfCatalog / serversOfCatalog }, (_, at): Tool => ({
    name: `read.something/${at}`,
    description: 'Reads something, and tells what is in it. '.repeat(10),
    inputSchema: { type: 'object', properties: Object.fromEntries(fields) },
  }));
  return connection;
}

const plainTools = ({ server, tools }: McpConnection): unknown[] =>
  tools.map(({ name, description, inputSchema }) => ({
    name: `mcp__${server.name}__${name}`,
    description,
    inputSchema,
  }));

async function openBare(args: string[]): Promise<SdkClient> {
  const client = new SdkClient({ name: 'bare', version: '1' });
  const program = { command: process.execPath, args, stderr: 'ignore' as const };
  await client.connect(new StdioClientTransport(program));
  return client;
}

async function connected(client: Client, count: number): Promise<void> {
  for (;;) {
    const status = await client.call(api.mcp.status);
    if (status.connected === count && status.servers === count) return;
    const failed = status.connections.find(({ state }) => state === 'FAILED');
    if (failed) throw new Error(`The server ${failed.name} could not be started.`);
    await delay(pollIntervalMs);
  }
}

async function removeAll(client: Client): Promise<void> {
  const servers = await client.call(api.mcp.list);
  await Promise.all(servers.map(({ id }) => client.call(api.mcp.remove, { params: { id } })));
}
