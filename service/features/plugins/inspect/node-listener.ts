import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Debugger } from './debug-pipe.ts';
import type { DebugListener, Gate } from './listener.ts';
import { listenOn } from './listen-on.ts';

/** The default port of Node, where Chrome and editors look for targets. */
const customaryPort = 9229;
const maxMessageBytes = 16 * 1024 * 1024;

/** The entry of the worker in lists of debuggers. */
export interface NodeTarget {
  title: string;
  /** File URL of the worker's module, as the worker sees it. */
  url: string;
}

/** Offers a Node worker like `node --inspect`: lists over HTTP, the protocol over a WebSocket. */
export async function listenForNode(target: NodeTarget, gate: Gate): Promise<DebugListener> {
  // Loaded when the first debugging session starts.
  const { WebSocketServer } = await import('ws');
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
  });
  const id = randomUUID();
  const server = createServer((req, res) => answerList(req, res, { ...target, id }));
  server.on('upgrade', (req, socket, head) => {
    if (!isLocal(req) || isOfPage(req) || req.url !== `/${id}`) {
      refuse(socket, 403);
      return;
    }
    void admit(gate, socket, (onSocket) => sockets.handleUpgrade(req, socket, head, onSocket));
  });
  const { port, close } = await listenOn(server, customaryPort);
  return {
    port,
    url: `ws://127.0.0.1:${String(port)}/${id}`,
    close,
  };
}

function answerList(
  req: IncomingMessage,
  res: ServerResponse,
  { id, title, url }: NodeTarget & { id: string },
): void {
  const [path = ''] = (req.url ?? '').split('?');
  const address = `127.0.0.1:${String(req.socket.localPort)}/${id}`;
  const lists: Record<string, object> = {
    '/json/version': { Browser: `node.js/${process.version}`, 'Protocol-Version': '1.1' },
    '/json/list': [
      {
        description: 'worker of a plugin',
        devtoolsFrontendUrl: `devtools://devtools/bundled/js_app.html?experiments=true&v8only=true&ws=${address}`,
        id,
        title,
        type: 'node',
        url,
        webSocketDebuggerUrl: `ws://${address}`,
      },
    ],
  };
  const list = lists[path === '/json' || path === '/json/' ? '/json/list' : path];
  const status = isLocal(req) ? (list === undefined ? 404 : 200) : 403;
  res.writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8' });
  res.end(status === 200 ? JSON.stringify(list) : '');
}

/** Refuses other host names, which a page could resolve to this computer (DNS rebinding). */
function isLocal({ headers }: IncomingMessage): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  return host === '127.0.0.1' || host === 'localhost';
}

/** Debuggers send no origin, or one of their own such as `devtools://devtools`. */
const isOfPage = ({ headers }: IncomingMessage): boolean =>
  /^(?:https?:|null$)/.test(headers.origin ?? '');

function refuse(socket: Duplex, status: number): void {
  const line = `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`;
  socket.end(`${line}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

async function admit(
  gate: Gate,
  socket: Duplex,
  upgrade: (onSocket: (client: WebSocket) => void) => void,
): Promise<void> {
  let webSocket: WebSocket | undefined;
  const client: Debugger = {
    send: (content, onSent) => webSocket?.send(content, { binary: false }, () => onSent()),
    setFlowing: (flowing) => (flowing ? webSocket?.resume() : webSocket?.pause()),
    close: () => (webSocket === undefined ? socket.destroy() : webSocket.close()),
  };
  const connection = await gate.admit(client);
  if (connection === null) {
    refuse(socket, 503);
    return;
  }
  if (socket.destroyed) {
    connection.left();
    return;
  }
  socket.on('close', () => connection.left());
  upgrade((opened) => {
    webSocket = opened;
    opened.on('error', () => undefined);
    opened.on('message', (data: Buffer) => {
      if (isCommand(data)) connection.receive(data);
      else opened.close();
    });
  });
}

/** The agent in the worker accepts only commands. */
function isCommand(data: Buffer): boolean {
  try {
    const value = JSON.parse(data.toString('utf8')) as unknown;
    return (
      typeof value === 'object' &&
      value !== null &&
      'method' in value &&
      typeof value.method === 'string'
    );
  } catch {
    return false;
  }
}
