import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerPage, type Page } from './answer-page.ts';

const path = '/callback';
const maxSockets = 16;
const requestMs = 15_000;

/** Deals with what the person came back with, and says what they are to read. */
export type OnReturn = (returned: URLSearchParams) => Promise<Page>;

/**
 * Waits on a port of its own on 127.0.0.1 for a person to come back from signing in. Only the one path
 * with the expected state counts, and only once; everything else changes nothing.
 */
export class RedirectListener {
  private readonly server: Server;
  private readonly state: string;
  private readonly onReturn: OnReturn;
  private isUsed = false;

  private constructor(state: string, onReturn: OnReturn) {
    this.state = state;
    this.onReturn = onReturn;
    this.server = createServer(
      { requestTimeout: requestMs, headersTimeout: requestMs },
      (req, res) => this.answer(req, res),
    );
    this.server.maxConnections = maxSockets;
  }

  static async open(state: string, onReturn: OnReturn): Promise<RedirectListener> {
    const listener = new RedirectListener(state, onReturn);
    const { server } = listener;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', () => {
        server.off('error', reject).on('error', () => undefined);
        resolve();
      });
    });
    return listener;
  }

  get url(): string {
    return `${this.origin}${path}`;
  }

  private get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo | null)?.port ?? 0}`;
  }

  /** An answer that is being written still goes out. */
  close(): void {
    this.server.close();
    this.server.closeIdleConnections();
  }

  private answer(req: IncomingMessage, res: ServerResponse): void {
    req.resume();
    const url = URL.parse(req.url ?? '', this.origin);
    const isOurs = url?.origin === this.origin && `http://${req.headers.host}` === this.origin;
    if (!isOurs || url.pathname !== path) return answerPage(res, 404, 'nothing');
    if (req.method !== 'GET') return answerPage(res, 405, 'nothing');
    if (!isSame(url.searchParams.get('state') ?? '', this.state))
      return answerPage(res, 400, 'stale');
    if (this.isUsed) return answerPage(res, 410, 'used');
    this.isUsed = true;
    this.onReturn(url.searchParams).then(
      (page) => answerPage(res, 200, page),
      () => answerPage(res, 500, 'failed'),
    );
  }
}

/** Takes the same time wherever they differ. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
