import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type HostOptions,
  type RunningHost,
  createLog,
  hostPaths,
  startHost,
} from '../app/index.ts';
import { type Client, createClient } from '../client/index.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: () => unknown;
}

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface TestHost {
  host: RunningHost;
  port: number;
  baseUrl: string;
  token: string;
  workDirectory: string;
  client: Client;
  /** With the token unless the headers say otherwise; `X-Host-Token: ''` sends none. */
  ask(path: string, options?: RequestOptions): Promise<Answer>;
  /** Bytes on a socket, exactly as given; `{T}` and `{P}` stand for token and port. */
  raw(bytes: string): Promise<string>;
  /** Ends the host but keeps its files. */
  stop(): Promise<void>;
  /** Ends the host and removes its files. */
  close(): Promise<void>;
}

export type TestHostOptions = Partial<
  Pick<HostOptions, 'setup' | 'machineKey' | 'desktop' | 'resources' | 'port' | 'token'>
> & {
  /** Default: a new one. */
  workDirectory?: string;
};

const built = join(import.meta.dirname, '..', '..', 'dist');

/** The real service on port 0, in a temporary working directory, on SQLite unless `setup` is null. */
export async function startTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const workDirectory = options.workDirectory ?? (await mkdtemp(join(tmpdir(), 'test-host-')));
  const token = options.token ?? randomBytes(16).toString('hex');
  const log = createLog({ level: 'OFF', directory: null, stderr: false });
  const host = await startHost({
    paths: hostPaths(workDirectory),
    port: options.port ?? { number: 0, fallback: false },
    token,
    machineKey: options.machineKey ?? null,
    log,
    logLevelGiven: true,
    resources: options.resources ?? {
      shell: null,
      bridge: join(built, 'plugin-client'),
      plugins: join(workDirectory, 'no-plugins'),
    },
    desktop: options.desktop ?? null,
    setup: options.setup === undefined ? 'SQLITE' : options.setup,
  });
  const baseUrl = `http://127.0.0.1:${host.port}`;
  const stop = async (): Promise<void> => {
    await host.close();
  };
  return {
    host,
    port: host.port,
    baseUrl,
    token,
    workDirectory,
    client: createClient({ baseUrl, token: () => token }),
    ask: (path, request = {}) =>
      ask(host.port, path, { ...request, headers: { 'X-Host-Token': token, ...request.headers } }),
    raw: (bytes) =>
      raw(host.port, bytes.replaceAll('{T}', token).replaceAll('{P}', String(host.port))),
    stop,
    async close() {
      await stop();
      await rm(workDirectory, { recursive: true, force: true });
    },
  };
}

/** Sent with node:http, so that any Host, Origin and path reach the service as they are. */
function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    const outgoing = request(
      { host: '127.0.0.1', port, path, method, headers: sent, agent: false },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            json: () => JSON.parse(text) as unknown,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    const chunks: Buffer[] = [];
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}
