import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ServerType, kinds } from './database-server.ts';
import { startServer } from './own-server.ts';
import { createServerWorkspace } from './server-workspace.ts';
import { type RunAnswer, runVariable } from './shared-servers.ts';

// Loaded once per test run in its main process; starts a server only on request.

/** Below the teardown timeout of vitest. */
const closeLimitMs = 8_000;

type Made = Promise<{ answer: RunAnswer; close(): Promise<void> }>;

const made = new Map<string, Made>();
let listener: Server | undefined;

export async function setup(): Promise<void> {
  const secret = randomBytes(16).toString('hex');
  listener = createServer((request, response) => {
    const [, provided, what, type = ''] = (request.url ?? '').split('/');
    void answer(provided === secret ? `${what}/${type}` : '').then((found) =>
      response.end(JSON.stringify(found)),
    );
  });
  listener.unref();
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  process.env[runVariable] = `http://127.0.0.1:${port}/${secret}`;
}

export async function teardown(): Promise<void> {
  delete process.env[runVariable];
  listener?.close();
  listener?.closeAllConnections();
  const closing = [...made.values()].map(async (one) => (await one).close());
  // The servers end by themselves; waiting leaves the temporary folder empty.
  const limit = new AbortController();
  const limited = delay(closeLimitMs, undefined, { signal: limit.signal }).catch(() => undefined);
  await Promise.race([Promise.allSettled(closing), limited]);
  limit.abort();
  made.clear();
}

async function answer(path: string): Promise<RunAnswer> {
  const make = makers[path];
  if (make === undefined) return { error: 'There is no such server.' };
  let one = made.get(path);
  if (one === undefined) {
    one = make();
    made.set(path, one);
    one.catch(() => made.delete(path));
  }
  try {
    return (await one).answer;
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

const makers: Record<string, () => Made> = {
  'server/MYSQL': () => serverOf('MYSQL'),
  'server/POSTGRESQL': () => serverOf('POSTGRESQL'),
  'template/MYSQL': () => template('MYSQL'),
  'template/POSTGRESQL': () => template('POSTGRESQL'),
};

async function serverOf(type: ServerType): Made {
  const server = await startServer(type, { durable: false });
  return { answer: { port: server.port }, close: server.close };
}

async function template(type: ServerType): Made {
  const workspace = await createServerWorkspace();
  try {
    await kinds[type].initialise(workspace);
    return { answer: { template: join(workspace.directory, 'data') }, close: workspace.remove };
  } catch (error) {
    await workspace.remove();
    throw error;
  }
}
