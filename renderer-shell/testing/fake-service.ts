import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { z } from 'zod';
import { api } from '../../service/contract/index.ts';
import type { FakeAnswer, FakeRequest } from './fake-request.ts';
import { fakeAnswers } from './fake-answers.ts';
import { pluginFile, shellFile } from './fake-files.ts';
import type { FakeHost, FakeProblem } from './fake-host.ts';
import { createFakeHost, isProblem } from './fake-host.ts';
import type { MatchedRoute } from './fake-routing.ts';
import { find, read, refusal } from './fake-routing.ts';

/** The folders of the built files. */
export interface FakeDirectories {
  /** Holds the built shell. */
  shell: string;
  /** Holds the built plugin client. */
  client: string;
}

/** A fake service: it implements the contract, validates with it, and keeps its data in memory. */
export class FakeService {
  readonly host: FakeHost = createFakeHost();
  /** Method and path of each API request, oldest first. */
  readonly requests: string[] = [];
  readonly #directories: FakeDirectories;
  readonly #streams = new Set<{ name: string; response: ServerResponse }>();
  readonly #streamTickets = new Set<string>();
  readonly #answers = fakeAnswers(this.host, (...event) => this.send(...event));
  readonly #server = createServer((request, response) => {
    this.#respond(request, response).catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : String(error);
      problem(response, { status: 500, code: 'fake_failed', detail });
    });
  });
  #port = 0;

  constructor(directories: FakeDirectories) {
    this.#directories = directories;
    this.#answers.set(api.notifications.ticket, () => {
      const ticket = randomBytes(8).toString('hex');
      this.#streamTickets.add(ticket);
      return { ticket, expiresInSeconds: 30 };
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Returns an address with a new one-time ticket. */
  ticketUrl(): string {
    const ticket = randomBytes(8).toString('hex');
    this.host.webTickets.add(ticket);
    return `${this.url}/#ticket=${ticket}`;
  }

  /** Sends an event to all streams of `notifications` or `logs:<plugin id>`. */
  send(name: string, event: string, data: unknown): void {
    for (const stream of this.#streams) {
      if (stream.name !== name) continue;
      stream.response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }

  listeners(name: string): number {
    return [...this.#streams].filter((stream) => stream.name === name).length;
  }

  /** Closes all streams; the service stays available. */
  dropStreams(): void {
    for (const { response } of this.#streams) response.end();
  }

  /** Starts listening; after a stop, on the same port as before. */
  async start(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url);
    const { client } = this.#directories;
    if (pathname.startsWith('/plugin-runtime/')) {
      return pluginFile(this.host, pathname, client, response);
    }
    if (!pathname.startsWith('/api/')) return this.#shellFile(pathname, response);
    this.requests.push(`${request.method} ${pathname}`);
    const route = find(request.method === 'HEAD' ? 'GET' : (request.method ?? ''), pathname);
    if (!route) return problem(response, { status: 404, code: 'not_found', detail: 'Not found.' });
    const refused = refusal(this.host, route.endpoint, request, (url) => this.#spendTicket(url));
    if (refused) return problem(response, refused);
    const { reply } = route.endpoint;
    if (reply && 'kind' in reply && reply.kind === 'events') {
      return this.#openStream(route, response);
    }
    const answer = this.#answers.get(route.endpoint);
    const hasPage = (id: string) => this.host.pages.has(`${id}/index.html`);
    const pageOf = (id: string) =>
      hasPage(id) ? `${this.url}/plugin-runtime/${id}/index.html` : '';
    return answered(route, answer, await read(request, route), { response, pageOf });
  }

  #shellFile(path: string, response: ServerResponse): Promise<void> {
    const site = { shell: this.#directories.shell, port: this.#port, host: this.host };
    return shellFile(site, path, response);
  }

  #spendTicket(url: string): boolean {
    const ticket = new URL(url, this.url).searchParams.get('ticket') ?? '';
    return this.#streamTickets.delete(ticket);
  }

  #openStream({ endpoint, params }: MatchedRoute, response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(': connected\n\n');
    const isLog = endpoint === api.plugins.logStream;
    const id = params['id'] ?? '';
    const stream = { name: isLog ? `logs:${id}` : 'notifications', response };
    this.#streams.add(stream);
    response.on('close', () => this.#streams.delete(stream));
    for (const log of isLog ? (this.host.logs.get(id) ?? []) : []) {
      response.write(`event: log\ndata: ${JSON.stringify(log)}\n\n`);
    }
  }
}

async function answered(
  { endpoint }: MatchedRoute,
  answer: FakeAnswer | undefined,
  request: FakeRequest,
  { response, pageOf }: { response: ServerResponse; pageOf: (id: string) => string },
): Promise<void> {
  if (!answer) return problem(response, { status: 404, code: 'no_fake', detail: 'Not faked.' });
  const value = await answer(request);
  if (isProblem(value)) return problem(response, value);
  if (!endpoint.reply) return void response.writeHead(204).end();
  if (Buffer.isBuffer(value)) {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    return void response.end(value);
  }
  const reply = (endpoint.reply as z.ZodType).parse(withPageAddresses(value, pageOf));
  response.writeHead(endpoint.status ?? 200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(reply));
}

/** Fills in the address of each plugin's page, as the service does. */
function withPageAddresses(value: unknown, pageOf: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => withPageAddresses(each, pageOf));
  if (typeof value !== 'object' || value === null || !('uiEntry' in value)) return value;
  const { id } = value as unknown as { id: string };
  return { ...value, uiEntry: pageOf(id) };
}

function problem(response: ServerResponse, { status, code, detail, errors }: FakeProblem): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, { 'Content-Type': 'application/problem+json' });
  response.end(JSON.stringify({ type: 'about:blank', title: code, status, code, detail, errors }));
}
