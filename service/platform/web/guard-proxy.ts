import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HostError } from '../../core/host-error.ts';
import { checkUrl, hostOf, portOf } from './check-url.ts';
import { type CheckedAddress, type Lookup, lookupOf, resolveAllowed } from './resolve-allowed.ts';
import { webFailure } from './web-failure.ts';
import { refused, type NetworkPolicy } from './network-policy.ts';
import { type HostText, msg, textOf } from '../../messages/index.ts';

/** Limit of a connection without data, in ms. */
const idleMs = 60_000;
const connectMs = 15_000;
const maxConnections = 256;
/** Limit of refusals; a client with more is disconnected. */
const maxFailures = 50;

/** The policy and the limits of a `GuardProxy`. */
export interface GuardProxyOptions {
  networkPolicy: NetworkPolicy;
  /** Limit of all bytes that are sent and received between two calls of `reset`. */
  maxBytes: number;
  /** Returns the reason why a server must not be contacted, as a sentence; null if it may. */
  objection?: (url: URL) => HostText | null;
  lookup?: Lookup;
}

/** A request that failed or was refused. */
export interface ProxyFailure {
  host: string;
  message: string;
  /** True if the policy refused it, false if the connection failed. */
  refused: boolean;
}

/**
 * The only network access of a browser: a proxy on loopback that resolves names itself, checks
 * every address, and connects to the checked one. Each request of a page, each redirect and each
 * WebSocket is checked separately.
 */
export class GuardProxy {
  private readonly options: GuardProxyOptions;
  private readonly server: Server;
  private readonly sockets = new Set<Duplex>();
  private readonly closing = new AbortController();
  private recordedFailures: ProxyFailure[] = [];
  private bytes = 0;

  private constructor(options: GuardProxyOptions) {
    this.options = options;
    this.server = createServer((incoming, answer) => void this.forward(incoming, answer));
    this.server.on('connect', (incoming, client, head) => void this.tunnel(incoming, client, head));
    this.server.on('connection', (socket) => this.track(socket));
    this.server.on('clientError', (_error, socket) => socket.destroy());
    this.server.maxConnections = maxConnections;
  }

  static async open(options: GuardProxyOptions): Promise<GuardProxy> {
    const proxy = new GuardProxy(options);
    const { server } = proxy;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    server.on('error', () => undefined);
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo | null)?.port ?? 0;
  }

  /** Resets the byte limit and the failures. */
  reset(): void {
    this.bytes = 0;
    this.recordedFailures = [];
  }

  /** Failures since the last reset, without duplicates. */
  get failures(): readonly ProxyFailure[] {
    return this.recordedFailures;
  }

  async close(): Promise<void> {
    this.closing.abort();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private track(socket: Duplex): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
  }

  /** Forwards a plain request, whose address is in its first line. */
  private async forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const text = incoming.url ?? '';
    try {
      if (!/^http:\/\//i.test(text)) throw refused(msg('web.proxyWholeAddresses'));
      const { url, addresses } = await this.check(text);
      const { method } = incoming;
      const outgoing = request({
        method,
        host: hostOf(url),
        port: portOf(url),
        path: url.pathname + url.search,
        headers: [...plainHeaders(incoming), 'Host', url.host, 'Connection', 'close'],
        lookup: lookupOf(addresses),
        agent: false,
        signal: this.closing.signal,
        timeout: idleMs,
      });
      outgoing.on('socket', (socket) => this.count(socket, url));
      outgoing.on('timeout', () => outgoing.destroy(new Error('idle')));
      outgoing.on('error', (error) => {
        this.recordFailure(url.host, webFailure(error, hostOf(url)), false);
        answer.destroy();
      });
      outgoing.on('response', (response) => {
        answer.writeHead(
          response.statusCode ?? 502,
          response.statusMessage,
          forwardedHeaders(response),
        );
        response.on('error', () => answer.destroy());
        response.on('aborted', () => answer.destroy());
        response.pipe(answer);
      });
      answer.on('close', () => outgoing.destroy());
      incoming.on('error', () => outgoing.destroy());
      incoming.pipe(outgoing);
    } catch (error) {
      this.recordFailure(authorityOf(text), error, true);
      answer.destroy();
    }
  }

  /** Tunnels TLS and WebSockets. */
  private async tunnel(incoming: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const authority = incoming.url ?? '';
    try {
      if (!/^[^/@?#\s]+:\d{1,5}$/.test(authority)) throw refused(msg('web.proxyNoServer'));
      const { url, addresses } = await this.check(`https://${authority}/`);
      const server = await this.connect(url, addresses);
      this.track(server);
      this.count(server, url);
      server.setTimeout(idleMs, () => server.destroy());
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) server.write(head);
      server.pipe(client).pipe(server);
      server.on('close', () => client.destroy());
      client.on('close', () => server.destroy());
    } catch (error) {
      this.recordFailure(
        authority,
        error,
        error instanceof HostError && error.code === 'address_refused',
      );
      client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    }
  }

  private async check(text: string): Promise<{ url: URL; addresses: CheckedAddress[] }> {
    const { networkPolicy, maxBytes, objection, lookup } = this.options;
    const url = checkUrl(text, networkPolicy);
    if (this.bytes > maxBytes) throw tooMuch(maxBytes);
    const reason = objection?.(url) ?? null;
    if (reason !== null) throw refused(reason);
    return { url, addresses: await resolveAllowed(url, networkPolicy, lookup) };
  }

  private connect(url: URL, addresses: CheckedAddress[]): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(webFailure(error, hostOf(url)));
      const target = { host: hostOf(url), port: portOf(url), lookup: lookupOf(addresses) };
      const socket = connect({ ...target, autoSelectFamily: true, signal: this.closing.signal });
      const late = Object.assign(new Error('late'), { code: 'ETIMEDOUT' });
      socket.setTimeout(connectMs, () => socket.destroy(late));
      socket.once('error', fail);
      socket.once('connect', () => {
        socket.off('error', fail);
        resolve(socket);
      });
    });
  }

  private count(socket: Socket, url: URL): void {
    const { maxBytes } = this.options;
    const add = (bytes: number): void => {
      this.bytes += bytes;
      if (this.bytes <= maxBytes) return;
      this.recordFailure(url.host, tooMuch(maxBytes), true);
      // All further data exceeds the limit.
      for (const open of this.sockets) open.destroy();
      socket.destroy();
    };
    socket.on('data', (chunk: Buffer) => add(chunk.length));
  }

  private recordFailure(host: string, error: unknown, isRefused: boolean): void {
    if (this.closing.signal.aborted || this.recordedFailures.length >= maxFailures) return;
    const message =
      error instanceof HostError ? error.message : textOf(msg('web.couldNotBeAsked', { host }));
    if (this.recordedFailures.some((failure) => failure.message === message)) return;
    const kind = error instanceof HostError && error.code === 'unreachable' ? false : isRefused;
    this.recordedFailures.push({ host, message, refused: kind });
  }
}

const betweenTwo = new Set([
  ...['host', 'connection', 'proxy-connection', 'keep-alive', 'proxy-authorization', 'te'],
  ...['trailer', 'upgrade', 'transfer-encoding'],
]);

/** Names and values in turn, unchanged. */
function plainHeaders({ rawHeaders }: IncomingMessage): string[] {
  return pairsOf(rawHeaders)
    .filter(([name]) => !betweenTwo.has(name.toLowerCase()))
    .flat();
}

function forwardedHeaders({ rawHeaders }: IncomingMessage): string[] {
  const retained = pairsOf(rawHeaders).filter(([name]) => !betweenTwo.has(name.toLowerCase()));
  return [...retained.flat(), 'Connection', 'close'];
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
}

const authorityOf = (text: string): string => URL.parse(text)?.host ?? textOf(msg('web.anAddress'));

function tooMuch(maxBytes: number): HostError {
  const limit = `${Math.round(maxBytes / 1024 ** 2)} MiB`;
  const message = msg('web.pageTooLarge', { limit });
  return new HostError('too-large', 'too_large', message);
}
