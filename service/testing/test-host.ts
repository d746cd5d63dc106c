import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type HostOptions,
  type HostPaths,
  type Log,
  type RunningHost,
  createLog,
  hostPaths,
  startHost,
} from '../app/index.ts';
import { type Client, createClient } from '../client/index.ts';

/** A complete response. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: () => unknown;
}

/** Options of a request. */
export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** A response that is still being received. */
export interface OpenAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Returns the text so far. */
  text(): string;
  /** Returns true if the other side has ended it. */
  ended(): boolean;
  drop(): void;
}

/** A host for tests. */
export interface TestHost {
  host: RunningHost;
  port: number;
  baseUrl: string;
  token: string;
  workDirectory: string;
  paths: HostPaths;
  log: Log;
  client: Client;
  /**
   * Sends a request with the token unless the headers override it; `X-Host-Token: ''` sends none.
   */
  ask(path: string, options?: RequestOptions): Promise<Answer>;
  /** Like `ask`, but resolves as soon as the headers have arrived. */
  open(path: string, options?: RequestOptions): Promise<OpenAnswer>;
  /** Sends bytes on a socket exactly as passed; `{T}` and `{P}` are replaced by token and port. */
  raw(bytes: string): Promise<string>;
  /** Stops the host but keeps its files. */
  stop(): Promise<void>;
  /** Stops the host and deletes its files. */
  close(): Promise<void>;
}

export type TestHostOptions = Partial<Omit<HostOptions, 'paths' | 'properties' | 'resources'>> & {
  properties?: Partial<HostOptions['properties']>;
  resources?: Partial<HostOptions['resources']>;
  /** Default: a new one. */
  workDirectory?: string;
};

const noProperties: HostOptions['properties'] = {
  catalogUrl: null,
  mcpServersFile: null,
  otlpMetricsUrl: null,
  otlpTracesUrl: null,
  h2Jar: null,
  browserPath: null,
  computerDisplay: null,
  webAllow: [],
  allowedHosts: [],
  cluster: null,
};

const fromSources: HostOptions['build'] = {
  kind: 'dev',
  arch: process.arch,
  releases: null,
  releaseKey: null,
  restart: null,
  folder: '',
  node: process.execPath,
  swapProgram: '',
  end: () => undefined,
};

const built = join(import.meta.dirname, '..', '..', 'dist');

/**
 * Starts the real service on port 0 in a temporary working directory, on SQLite unless `setup` is
 * null.
 */
export async function startTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const workDirectory = options.workDirectory ?? (await mkdtemp(join(tmpdir(), 'test-host-')));
  const token = options.token ?? randomBytes(16).toString('hex');
  const log = options.log ?? createLog({ level: 'INFO', directory: null, stderr: false });
  const paths = hostPaths(workDirectory);
  const host = await startHost({
    paths,
    port: options.port ?? { number: 0, fallback: false },
    token,
    machineKey: options.machineKey ?? null,
    log,
    properties: { ...noProperties, ...options.properties },
    logLevelFromLaunch: options.logLevelFromLaunch ?? true,
    resources: {
      shell: null,
      bridge: join(built, 'plugin-client'),
      answerFrame: join(built, 'answer-frame'),
      plugins: join(workDirectory, 'no-plugins'),
      shellGrammars: join(built, 'shell-grammars'),
      kit: join(built, 'kit'),
      h2Bridge: join(built, 'h2-bridge'),
      ...options.resources,
    },
    desktop: options.desktop ?? null,
    build: options.build ?? fromSources,
    setup: options.setup === undefined ? 'SQLITE' : options.setup,
    // Most tests inspect their workers from outside; tests of the sandbox set this.
    sandboxPath: options.sandboxPath ?? '',
    trustsPlugins: options.sandboxPath === undefined,
    now: options.now,
    wallClock: options.wallClock,
    gateWaits: options.gateWaits,
    migrations: options.migrations,
    version: options.version,
    onListening: options.onListening,
  });
  const baseUrl = `http://127.0.0.1:${host.port}`;
  const stop = async (): Promise<void> => {
    await host.close();
  };
  const withToken = (requestOptions: RequestOptions): RequestOptions => ({
    ...requestOptions,
    headers: { 'X-Host-Token': token, ...requestOptions.headers },
  });
  return {
    host,
    port: host.port,
    baseUrl,
    token,
    workDirectory,
    paths,
    log,
    client: createClient({ baseUrl, token: () => token }),
    ask: (path, requestOptions = {}) => ask(host.port, path, withToken(requestOptions)),
    open: (path, requestOptions = {}) => open(host.port, path, withToken(requestOptions)),
    raw: (bytes) =>
      raw(host.port, bytes.replaceAll('{T}', token).replaceAll('{P}', String(host.port))),
    stop,
    async close() {
      await stop();
      await rm(workDirectory, { recursive: true, force: true });
    },
  };
}

/** Sends a request with node:http, which does not change Host, Origin and path. */
export function send(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    const options = { host: '127.0.0.1', port, path, method, headers: sent, agent: false };
    request(options, resolve).on('error', reject).end(body);
  });
}

export async function ask(port: number, path: string, options: RequestOptions): Promise<Answer> {
  const answer = await send(port, path, options);
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text,
    json: () => JSON.parse(text) as unknown,
  };
}

export async function open(
  port: number,
  path: string,
  options: RequestOptions,
): Promise<OpenAnswer> {
  const answer = await send(port, path, options);
  let text = '';
  let ended = false;
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => (text += chunk));
  answer.on('error', () => undefined);
  answer.on('close', () => (ended = true));
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text: () => text,
    ended: () => ended,
    drop: () => answer.destroy(),
  };
}

/** Resolves with all data until the other side closes, within 30 seconds. */
export function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    const chunks: Buffer[] = [];
    socket.setTimeout(30_000, () => socket.destroy());
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}
