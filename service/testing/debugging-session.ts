import { once } from 'node:events';
import { createConnection } from 'node:net';
import { api, type InspectEvent } from '../contract/index.ts';
import { createClient } from '../client/index.ts';
import type { TestHost } from './test-host.ts';

/** An open debugging session. */
export interface DebuggingSession extends InspectEvent {
  /** Resolves when the stream ends: with null, or the error of the client. */
  ended: Promise<unknown>;
  /** Disconnects the client. */
  leave(): void;
}

/** Opens the debugging session of a plugin, with the token of the host or another one. */
export async function openSession(
  test: Pick<TestHost, 'baseUrl' | 'token'>,
  id: string,
  token = test.token,
): Promise<DebuggingSession> {
  const client = createClient({ baseUrl: test.baseUrl, token: () => token });
  const leaving = new AbortController();
  const input = { params: { id }, signal: leaving.signal };
  const events = client.stream(api.developer.inspect, input)[Symbol.asyncIterator]();
  const first = await events.next();
  if (first.done === true) throw new Error('The stream ended before its first event.');
  const ended = events.next().then(
    () => null,
    (error: unknown) => error,
  );
  return { ...first.value.data, ended, leave: () => leaving.abort() };
}

/** Returns true if a process listens on this loopback port. */
export async function listens(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
