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
/** Below the ports that systems give out by themselves, so that it is still free after a kill. */
const ports = { from: 15_000, to: 32_000 };

/** A server of the test's own, gone with the process that started it, however that ends. */
export interface OwnServer extends DatabaseServer {
  /** The server's process; 0 while it does not run. */
  readonly pid: number;
  readonly directory: string;
  /** Ends it in order and keeps its data. */
  stop(): Promise<void>;
  /** SIGKILL to all of its processes; the data stay as they are. */
  kill(): Promise<void>;
  /** Again, on the same port and data. Resolves once it answers. */
  start(): Promise<void>;
  /** SIGSTOP: connections are taken, nothing answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Ends it and removes its data. */
  close(): Promise<void>;
}

export interface OwnServerOptions {
  /** False: faster, and may lose what it wrote when it is killed. Default: true. */
  durable?: boolean;
}

export function startMariadb(options?: OwnServerOptions): Promise<OwnServer> {
  return startServer('MYSQL', options);
}

export function startPostgres(options?: OwnServerOptions): Promise<OwnServer> {
  return startServer('POSTGRESQL', options);
}

/** Resolves once it answers. Takes about a second. */
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

/** Null once it answers; who else might have the port answers for another folder. */
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
