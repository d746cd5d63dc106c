import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

const loopback = '127.0.0.1';

/** A listening server with all of its connections. */
export interface Listening {
  port: number;
  /** Closes the port and every connection. */
  close: () => Promise<void>;
}

/** Listens on the loopback address, on the customary port if it is free. */
export async function listenOn(server: Server, customaryPort: number): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  const port = await listen(server, customaryPort).catch(() => listen(server, 0));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port, close };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, loopback);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
