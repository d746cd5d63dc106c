import { onTestFinished } from 'vitest';
import { type HttpServer, startEverything } from './real-servers.ts';

/** Starts server-everything on loopback until the test ends. */
export async function useEverything(
  transport: HttpServer['transport'],
  port?: number,
): Promise<HttpServer> {
  const server = await startEverything(transport, port);
  onTestFinished(() => server.kill());
  return server;
}
