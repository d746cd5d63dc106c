import type { Server, ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { HostError } from '../core/host-error.ts';
import { problemOf } from '../http/problems.ts';
import { msg } from '../messages/index.ts';

export const defaultPort = 24_056;
const loopback = '127.0.0.1';

export const serverLimits: ServerOptions = {
  headersTimeout: 15_000,
  // A long upload is fine as long as it moves; json-body and uploads watch for a standstill.
  requestTimeout: 0,
  connectionsCheckingInterval: 2_500,
  maxHeaderSize: 16 * 1024,
  keepAliveTimeout: 30_000,
  // The gate counts the Host headers and says in words what is wrong.
  requireHostHeader: false,
};

/** Binds the loopback address and returns the port. Throws `port_in_use` where no other one may be taken. */
export async function listen(
  server: Server,
  port: { number: number; fallback: boolean },
): Promise<number> {
  server.on('clientError', refuseBrokenRequest);
  // An expectation that nobody knows is passed over, so that the answer is one of ours.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  try {
    return await bind(server, port.number);
  } catch (error) {
    if (
      (error as NodeJS.ErrnoException).code !== 'EADDRINUSE' &&
      (error as NodeJS.ErrnoException).code !== 'EACCES'
    )
      throw error;
    if (port.fallback) return bind(server, 0);
    throw new HostError('conflict', 'port_in_use', msg('start.portTaken', { port: port.number }));
  }
}

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error): void => reject(error);
    server.once('error', refuse);
    server.listen({ port, host: loopback }, () => {
      server.off('error', refuse);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

const refusals: Record<string, HostError> = {
  HPE_HEADER_OVERFLOW: new HostError(
    'headers-too-large',
    'headers_too_large',
    msg('request.headersTooLarge'),
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new HostError(
    'timeout',
    'headers_timed_out',
    msg('request.headersLate'),
  ),
};
const broken = new HostError('invalid', 'invalid_request', msg('request.notHttp'));

function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const problem = problemOf(refusals[error.code ?? ''] ?? broken);
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Referrer-Policy: no-referrer',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
