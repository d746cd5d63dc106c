import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

const loopback = '127.0.0.1';

/** Listens on the loopback address, on the customary port where it is free. Gives the port. */
export async function listenOn(server: Server, customaryPort: number): Promise<number> {
  try {
    return await listen(server, customaryPort);
  } catch {
    return listen(server, 0);
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, loopback);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
