import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A test web server. */
export interface WebServer {
  /** `http://127.0.0.1:<port>`, or of another loopback address. */
  base: string;
  port: number;
  /** `ip:port` in the format of `host.web.allow`. */
  allow: string;
  /** Returns the number of open connections. */
  connections: () => Promise<number>;
  close: () => Promise<void>;
}

/** Starts a web server on a loopback address. */
export function serveWeb(answer: RequestListener, address = '127.0.0.1'): Promise<WebServer> {
  return listenOn(createServer(answer), address);
}

/** Listens with any server; open connections are closed with it. */
export async function listenOn(
  server: Server,
  address = '127.0.0.1',
  scheme = 'http',
): Promise<WebServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const authority = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  return {
    base: `${scheme}://${authority}`,
    port,
    allow: authority,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        for (const socket of sockets) socket.destroy();
      }),
  };
}
