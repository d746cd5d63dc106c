import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect, createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { McpDefinition, McpTransport } from '../../contract/index.ts';

const { resolve } = createRequire(import.meta.url);

/** Returns the program of one of the MCP project's reference servers. */
const entryOf = (name: string): string =>
  join(dirname(resolve(`@modelcontextprotocol/server-${name}/package.json`)), 'dist', 'index.js');

type DefinitionOverrides = Partial<McpDefinition> & { name: string };

/** Returns the definition of a server that is a Node program; `args` begins with its file. */
export const nodeServer = (
  file: string,
  args: string[],
  overrides: DefinitionOverrides,
): McpDefinition => ({
  transport: 'STDIO',
  enabled: true,
  callTimeoutSeconds: 60,
  trustAnnotations: true,
  command: process.execPath,
  args: [file, ...args],
  ...overrides,
});

/** Returns the definition of a reference server over stdio. */
export const realServer = (
  program: 'everything' | 'filesystem' | 'memory',
  args: string[],
  overrides: DefinitionOverrides,
): McpDefinition => nodeServer(entryOf(program), args, overrides);

/** A running HTTP server. */
export interface HttpServer {
  transport: Exclude<McpTransport, 'STDIO'>;
  url: string;
  port: number;
  pid: number;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
}

const modes = { SSE: 'sse', STREAMABLE_HTTP: 'streamableHttp' } as const;
const paths = { SSE: '/sse', STREAMABLE_HTTP: '/mcp' } as const;
const startLimitMs = 30_000;

/** Starts server-everything on loopback; the caller stops it. */
export async function startEverything(
  transport: HttpServer['transport'],
  port?: number,
): Promise<HttpServer> {
  const used = port ?? (await freePort());
  const preload = join(import.meta.dirname, 'loopback-only.cjs');
  const child = spawn(
    process.execPath,
    ['--require', preload, entryOf('everything'), modes[transport]],
    { env: { PATH: process.env['PATH'], PORT: String(used) }, stdio: 'ignore' },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await listening(child, used);
  return {
    transport,
    port: used,
    url: `http://127.0.0.1:${used}${paths[transport]}`,
    pid: child.pid ?? 0,
    kill() {
      child.kill('SIGKILL');
      return exited;
    },
  };
}

/** Returns a definition for it. */
export const remoteServer = (
  server: Pick<HttpServer, 'transport' | 'url'>,
  overrides: DefinitionOverrides,
): McpDefinition => ({
  transport: server.transport,
  url: server.url,
  enabled: true,
  callTimeoutSeconds: 60,
  trustAnnotations: true,
  ...overrides,
});

/** Returns a port on which nothing listens at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  const until = performance.now() + startLimitMs;
  while (performance.now() < until && child.exitCode === null) {
    if (await answers(port)) return;
    await delay(20);
  }
  child.kill('SIGKILL');
  throw new Error(`The server did not listen on port ${port}.`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Connects the SDK's own client, with the same capabilities as ours, to a new server. */
export async function sdkClient({
  transport,
  url = '',
  command = '',
  args = [],
  env = {},
}: McpDefinition): Promise<Client> {
  const client = new Client(
    { name: 'sdk', version: '1' },
    { capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
  const stdio = { command, args, env, stderr: 'ignore' as const };
  await client.connect(
    transport === 'STDIO'
      ? new StdioClientTransport(stdio)
      : transport === 'SSE'
        ? // eslint-disable-next-line @typescript-eslint/no-deprecated -- Servers that speak it are still there.
          new SSEClientTransport(new URL(url))
        : new StreamableHTTPClientTransport(new URL(url)),
  );
  return client;
}

/** Returns the ids of children of a process whose command line contains this text. */
export async function serversUnder(parent: number, text: string): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const read = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '');
      const [stat, command] = await Promise.all([read('stat'), read('cmdline')]);
      const [state, its] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state !== 'Z' && Number(its) === parent && command.includes(text)
        ? [Number(name)]
        : [];
    }),
  );
  return found.flat();
}
