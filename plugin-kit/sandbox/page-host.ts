import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { pagePolicy } from '../../service/contract/page-policies.ts';
import { openBelow } from '../../service/platform/archives/plain-open.ts';
import { shellPage } from './shell-page.ts';

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
};
const maxRequestBytes = 32 * 1024 * 1024;

/** A JSON-RPC error of the bridge. */
export interface BridgeError {
  code: number;
  message: string;
  data?: unknown;
}

export type BridgeAnswer = { result: unknown } | { error: BridgeError };

/** Input of `servePage`. */
export interface PageHostInput {
  pluginId: string;
  /** The unpacked package. */
  directory: string;
  /** Directory with the built `plugin-client.js`. */
  client: string;
  /** Features of the bridge beyond the basic calls, such as `files`. */
  capabilities?: readonly string[];
  /** Handles a request of the page over its bridge. */
  handle(
    request: { method: string; params: unknown },
    onProgress: (progress: unknown) => void,
  ): Promise<BridgeAnswer>;
}

/** A served plugin page. */
export interface PageHost {
  /**
   * Address of a page with the plugin in a sandboxed frame; `?locale=&theme=&version=` are passed
   * to the plugin.
   */
  url: string;
  close: () => Promise<void>;
}

/** Serves a plugin page under the host's rules, inside a page that replaces the shell. */
export async function servePage(input: PageHostInput): Promise<PageHost> {
  const server = createServer((request, response) => {
    answer(input, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  input: PageHostInput,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? ''}`);
  if (url.pathname === '/') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(shellPage(input.pluginId, input.capabilities ?? []));
  } else if (url.pathname === '/bridge' && request.headers.origin === url.origin) {
    await answerBridge(input, request, response);
  } else {
    await serveFile(input, url, response);
  }
}

/** Writes one JSON object per line: any number of `{progress}`, then `{result}` or `{error}`. */
async function answerBridge(
  input: PageHostInput,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const asked = JSON.parse(await textOf(request)) as { method: string; params: unknown };
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  const send = (line: object): void => void response.write(`${JSON.stringify(line)}\n`);
  const reply = await input.handle(asked, (progress) => send({ progress }));
  send(reply);
  response.end();
}

async function serveFile(input: PageHostInput, url: URL, response: ServerResponse): Promise<void> {
  const path = url.pathname.replace(`/plugin-runtime/${input.pluginId}/`, '');
  const segments = decodeURIComponent(path).split('/');
  const file = path.startsWith('_host/')
    ? await openBelow(input.client, segments.slice(1))
    : await openBelow(input.directory, ['ui', ...segments]);
  if (file === null) {
    response.writeHead(404).end();
    return;
  }
  try {
    response.writeHead(200, {
      'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      ...(path.endsWith('.html') ? { 'content-security-policy': pagePolicy([url.origin]) } : {}),
    });
    response.end(await file.readFile());
  } finally {
    await file.close();
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > maxRequestBytes) throw new Error('The request is too large.');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
