import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { pagePolicy } from '../../service/contract/page-policies.ts';
import type { WorkerProcess } from './worker-process.ts';

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

export interface PageHostInput {
  pluginId: string;
  /** The unpacked package. */
  directory: string;
  /** Directory with the built `plugin-client.js`. */
  client: string;
  worker: WorkerProcess;
}

export interface PageHost {
  /** A page with the plugin in a sandboxed frame; `?locale=&theme=&version=` go to the plugin. */
  url: string;
  close: () => Promise<void>;
}

/**
 * Serves the page of a plugin under the host's rules, inside a page that plays the shell. As the
 * shell does, it hands the frame a port at each load and one more to a script that greets after it,
 * keeps to the port that is spoken on first, and passes every call on to the worker.
 */
export async function servePage(input: PageHostInput): Promise<PageHost> {
  const server = createServer((request, response) => {
    answer(input, request, response).catch(() => response.writeHead(404).end());
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
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(shellPage(input));
    return;
  }
  if (url.pathname === '/invoke') {
    const call = JSON.parse(await textOf(request)) as { method: string; params: unknown };
    const { result, error } = await input.worker.call(call.method, call.params);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(error ? { error } : { result: result ?? null }));
    return;
  }
  const path = url.pathname.replace(`/plugin-runtime/${input.pluginId}/`, '');
  const file = path.startsWith('_host/')
    ? join(input.client, path.slice('_host/'.length))
    : join(input.directory, 'ui', path);
  const content = await readFile(file);
  const headers: Record<string, string> = {
    'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
  };
  if (path.endsWith('.html')) headers['content-security-policy'] = pagePolicy([url.origin]);
  response.writeHead(200, headers).end(content);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const shellPage = ({ pluginId }: PageHostInput): string => `<!doctype html>
<meta charset="utf-8">
<style>html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0; display: block }</style>
<body>
<script>
  const asked = new URLSearchParams(location.search);
  const protocolVersion = asked.get('version') ?? '1';
  const facts = {
    protocolVersion,
    pluginId: ${JSON.stringify(pluginId)},
    theme: asked.get('theme') ?? 'light',
    locale: asked.get('locale') ?? 'en',
    capabilities: [],
  };
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.src = '/plugin-runtime/${pluginId}/index.html';
  let offered = [];
  let claimed = null;
  window.send = (event, data) => claimed.postMessage({ event, data });
  const answer = async ({ method, params }) => {
    if (method === 'host.ready') return { result: facts };
    const body = JSON.stringify(params);
    return (await fetch('/invoke', { method: 'POST', body })).json();
  };
  const offer = () => {
    const { port1, port2 } = new MessageChannel();
    offered.push(port1);
    port1.onmessage = async ({ data }) => {
      claimed ??= port1;
      if (claimed !== port1) return;
      port1.postMessage({ id: data.id, ...(await answer(data)) });
    };
    frame.contentWindow.postMessage({ type: 'host.port', protocolVersion }, '*', [port2]);
  };
  frame.addEventListener('load', () => {
    for (const port of offered) port.close();
    [offered, claimed] = [[], null];
    offer();
  });
  addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow || data?.type !== 'plugin.hello') return;
    if (!claimed && offered.length === 1) offer();
  });
  document.body.append(frame);
</script>`;
