import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { HostError } from '../core/host-error.ts';
import { TicketRegistry } from '../http/access.ts';
import { mount, type MountOptions } from '../http/mount.ts';
import { OpenStreams } from '../http/open-streams.ts';

export const launchToken = 'the-launch-token';

/** A server with mounted routes. */
export interface Mounted {
  server: Server;
  port: number;
  close(): void;
}

/** Serves routes without a host, on their own port. */
export async function mounted(
  options: Pick<MountOptions, 'routes'> & Partial<MountOptions>,
): Promise<Mounted> {
  let port = 0;
  const server = createServer(
    mount({
      port: () => port,
      token: Buffer.from(launchToken),
      tickets: new TicketRegistry(),
      mode: 'APP',
      streams: new OpenStreams(),
      uploadDirectory: '/nowhere',
      unknownRoute: () => new HostError('missing', 'not_found', 'Nothing.'),
      onUnknownError: (error) => expect.unreachable(String(error)),
      ...options,
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  return {
    server,
    port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
