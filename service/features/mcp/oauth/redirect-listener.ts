import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerPage, type Page } from './answer-page.ts';
import { redirectAddress, type RedirectTarget } from './redirect-target.ts';

const maxSockets = 16;
const requestMs = 15_000;
/** Attempts to find a port that is free on both addresses of `localhost`. */
const triesForPort = 5;

/** Handles the redirect of the user's browser, and returns the page to show. */
export type OnReturn = (returned: URLSearchParams) => Promise<Page>;

/** The port is in use by another program, or not permitted for this user. */
export class PortTaken extends Error {}

/**
 * Listens on a local port for the user's browser after a sign-in. Only one request, for the one
 * path with the expected state, is handled; all others change nothing.
 */
export class RedirectListener {
  /** The redirect address exactly as it is in the request. */
  readonly url: string;
  readonly port: number;
  private readonly servers: Server[];
  private readonly state: string;
  private readonly onReturn: OnReturn;
  private isUsed = false;

  private constructor(
    servers: Server[],
    { host, path }: RedirectTarget,
    expected: { state: string; onReturn: OnReturn },
  ) {
    this.servers = servers;
    this.port = portOf(servers[0]);
    this.url = redirectAddress({ host, port: this.port, path });
    this.state = expected.state;
    this.onReturn = expected.onReturn;
    for (const server of servers)
      server.on('request', (req, res) => void this.answer(req, res).catch(() => res.destroy()));
  }

  /** @throws PortTaken */
  static async open(
    target: RedirectTarget,
    state: string,
    onReturn: OnReturn,
  ): Promise<RedirectListener> {
    return new RedirectListener(await listening(target), target, { state, onReturn });
  }

  /** Stops listening; an answer that is being written is completed. */
  close(): void {
    for (const server of this.servers) {
      server.close();
      server.closeIdleConnections();
    }
  }

  private async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    req.resume();
    const { origin, pathname } = new URL(this.url);
    const url = URL.parse(req.url ?? '', origin);
    const asked = URL.parse(`http://${req.headers.host}`)?.origin;
    const isOurs = url?.origin === origin && asked === origin;
    if (!isOurs || url.pathname !== pathname) return answerPage(req, res, [404, 'nothing']);
    if (req.method !== 'GET') return answerPage(req, res, [405, 'nothing']);
    if (!isSame(url.searchParams.get('state') ?? '', this.state))
      return answerPage(req, res, [400, 'stale']);
    if (this.isUsed) return answerPage(req, res, [410, 'used']);
    this.isUsed = true;
    const page = await this.onReturn(url.searchParams).catch(() => null);
    return answerPage(req, res, page === null ? [500, 'failed'] : [200, page]);
  }
}

/**
 * Listens on both addresses if the name has two, so that no other program can listen on the other
 * one.
 */
async function listening({ host, port }: RedirectTarget): Promise<Server[]> {
  if (host !== 'localhost') return [await listenOn(host === '[::1]' ? '::1' : host, port)];
  for (let attempts = triesForPort; ; attempts -= 1) {
    const first = await listenOn('127.0.0.1', port);
    try {
      return [first, await listenOn('::1', portOf(first))];
    } catch (error) {
      // A machine may lack the second address.
      if (!(error instanceof PortTaken)) return [first];
      first.close();
      if (port !== 0 || attempts <= 1) throw error;
    }
  }
}

function listenOn(address: string, port: number): Promise<Server> {
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs });
  server.maxConnections = maxSockets;
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void =>
      reject(['EADDRINUSE', 'EACCES'].includes(error.code ?? '') ? new PortTaken() : error);
    server.once('error', fail).listen(port, address, () => {
      server.off('error', fail).on('error', () => undefined);
      resolve(server);
    });
  });
}

const portOf = (server: Server | undefined): number =>
  (server?.address() as AddressInfo | null)?.port ?? 0;

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
