import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DatabaseServer, type ServerType, databaseServer, kinds } from './database-server.ts';
import { type ServerWorkspace, createServerWorkspace } from './server-workspace.ts';
import type { ServerKind } from './server-kind.ts';
import { templateOf } from './shared-servers.ts';

const readyLimitMs = 60_000;
const readyPollMs = 20;
const portAttempts = 20;
/** Below the system's ephemeral ports, so that the port stays free after a kill. */
const ports = { from: 15_000, to: 32_000 };

/** A server for one test. It ends with the process that started it, even after a kill. */
export interface OwnServer extends DatabaseServer {
  /** Process id of the server; 0 while it is not running. */
  readonly pid: number;
  readonly directory: string;
  /** Shuts it down and keeps its data. */
  stop(): Promise<void>;
  /** Sends SIGKILL to all of its processes; keeps the data. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. Resolves once it answers. */
  start(): Promise<void>;
  /** Sends SIGSTOP: connections are accepted, but nothing answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Stops it and deletes its data. */
  close(): Promise<void>;
}

/** Options of the server. */
export interface OwnServerOptions {
  /** False is faster, but a kill may lose writes. Default true. */
  durable?: boolean;
}

export function startMariadb(options?: OwnServerOptions): Promise<OwnServer> {
  return startServer('MYSQL', options);
}

export function startPostgres(options?: OwnServerOptions): Promise<OwnServer> {
  return startServer('POSTGRESQL', options);
}

/** Starts a server. Resolves once it answers, after about a second. */
export async function startServer(
  type: ServerType,
  { durable = true }: OwnServerOptions = {},
): Promise<OwnServer> {
  const kind = kinds[type];
  const workspace = await createServerWorkspace();
  try {
    for (const name of ['ca.pem', 'server.pem', 'server-key.pem']) {
      const file = join(import.meta.dirname, 'tls', `test-only-${name}`);
      await workspace.write(name, await readFile(file));
    }
    await fillData(kind, workspace);
    const port = await startOnFreePort(kind, workspace, durable);
    return ownServer(kind, workspace, { port, durable });
  } catch (error) {
    await workspace.remove();
    throw error;
  }
}

async function fillData(kind: ServerKind, workspace: ServerWorkspace): Promise<void> {
  const template = await templateOf(kind.type);
  if (template === null) return kind.initialise(workspace);
  const args = ['-a', template, join(workspace.directory, 'data')];
  await workspace.run({ program: '/bin/cp', args });
}

function ownServer(
  kind: ServerKind,
  workspace: ServerWorkspace,
  serving: { port: number; durable: boolean },
): OwnServer {
  return {
    ...databaseServer(kind.type, serving.port),
    get pid() {
      return workspace.pid;
    },
    directory: workspace.directory,
    stop: () => workspace.order({ do: 'stop', signal: kind.stopSignal }),
    kill: () => workspace.order({ do: 'kill' }),
    start: () => serve(kind, workspace, serving),
    freeze: () => workspace.order({ do: 'freeze' }),
    thaw: () => workspace.order({ do: 'thaw' }),
    close: () => workspace.remove(),
  };
}

async function startOnFreePort(
  kind: ServerKind,
  workspace: ServerWorkspace,
  durable: boolean,
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      await serve(kind, workspace, { port, durable });
      return port;
    } catch (error) {
      const taken = kind.portTaken.test(await workspace.log());
      if (!taken || attempt === portAttempts) throw error;
    }
  }
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.from, ports.to);
    const free = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (free) return port;
  }
}

async function serve(
  kind: ServerKind,
  workspace: ServerWorkspace,
  serving: { port: number; durable: boolean },
): Promise<void> {
  await workspace.serve(await kind.command(workspace, serving), kind.endSignal);
  const untilMs = performance.now() + readyLimitMs;
  for (;;) {
    const failure = await whyNotReady(kind, workspace, serving.port);
    if (failure === null) return;
    if (workspace.pid === 0 || performance.now() > untilMs) {
      const message = `The ${kind.type} server did not start:\n${await workspace.log()}`;
      throw new Error(message, { cause: failure });
    }
    await delay(readyPollMs);
  }
}

/**
 * Returns the problem, or null once it answers. Checks its folder, as another server may have the
 * port.
 */
async function whyNotReady(
  kind: ServerKind,
  workspace: ServerWorkspace,
  port: number,
): Promise<unknown> {
  try {
    const [row] = await databaseServer(kind.type, port).adminQuery(kind.whichServer);
    return String(row?.['data']).includes(basename(workspace.directory)) ? null : 'Another server.';
  } catch (error) {
    return error;
  }
}
