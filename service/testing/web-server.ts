import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';

/** What a test server is asked through. */
export interface WebServer {
  /** `http://127.0.0.1:<port>`, or of another loopback address. */
  base: string;
  port: number;
  /** `ip:port`, as `host.web.allow` has it. */
  allow: string;
  /** Open connections. */
  connections: () => Promise<number>;
  close: () => Promise<void>;
}

/** A real server on a loopback address. */
export function serveWeb(answer: RequestListener, address = '127.0.0.1'): Promise<WebServer> {
  return listenOn(createServer(answer), address);
}

/** The same around any server; what it holds open ends with it. */
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
