import type { Server, ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { HostError } from '../core/host-error.ts';
import { problemOf } from '../http/problems.ts';
import { msg } from '../messages/index.ts';

export const defaultPort = 24_056;
const loopback = '127.0.0.1';

/** Limits of the HTTP server against slow and oversized requests. */
export const serverLimits: ServerOptions = {
  headersTimeout: 15_000,
  // A long upload is allowed as long as bytes arrive; json-body and uploads detect a stall.
  requestTimeout: 0,
  connectionsCheckingInterval: 2_500,
  maxHeaderSize: 16 * 1024,
  keepAliveTimeout: 30_000,
  // The gate checks the Host headers itself, so that the error is a problem document.
  requireHostHeader: false,
};

/**
 * Binds the loopback address and returns the port.
 * @throws HostError `port_in_use` when no other port may be chosen
 */
export async function listen(
  server: Server,
  port: { number: number; fallback: boolean },
): Promise<number> {
  server.on('clientError', refuseBrokenRequest);
  // An unknown `Expect` header is ignored, so that the response is one of the service.
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
