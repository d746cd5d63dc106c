import { onTestFinished } from 'vitest';
import { type HttpServer, startEverything } from './real-servers.ts';

/** server-everything on loopback, ended with the test. */
export async function useEverything(
  transport: HttpServer['transport'],
  port?: number,
): Promise<HttpServer> {
  const server = await startEverything(transport, port);
  onTestFinished(() => server.kill());
  return server;
}
