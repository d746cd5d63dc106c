import { copyFile, lstat, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { WorkerRuntime } from '../../../contract/index.ts';

/** Where tools look for a debugger first; another port where this one is taken. */
const usualPort: Record<WorkerRuntime, number> = { node: 9229, java: 5005 };
const maxConnections = 16;
/** From a debugger's connection until the worker has to take it. */
const startLimitMs = 15_000;
const retryMs = 50;

export interface InspectionOptions {
  runtime: WorkerRuntime;
  /** Starts the worker where it does not run. */
  wake: () => void;
}

/**
 * A debugger's way to one worker while a session of a developer lasts: a port on the loopback whose
 * connections are passed through a pipe into the sandbox, where a bridge passes them to the worker.
 */
export class WorkerInspection {
  readonly runtime: WorkerRuntime;
  /** A folder of this session, in which the worker's side makes the pipe. */
  readonly folder: string;
  /** The program that runs beside the worker. */
  readonly bridge: string;
  readonly #server: Server;
  readonly #wake: () => void;
  readonly #sockets = new Set<Socket>();
  readonly #ending = new AbortController();

  private constructor(folders: { folder: string; bridge: string }, options: InspectionOptions) {
    this.folder = folders.folder;
    this.bridge = folders.bridge;
    this.runtime = options.runtime;
    this.#wake = options.wake;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#take(socket));
    this.#server.maxConnections = maxConnections;
  }

  static async open(options: InspectionOptions): Promise<WorkerInspection> {
    const root = await mkdtemp(join(tmpdir(), 'plugin-inspect-'));
    const source = bridgeFile();
    const bridge = join(root, basename(source));
    await copyFile(source, bridge);
    const folder = await mkdtemp(join(root, 'pipe-'));
    const inspection = new WorkerInspection({ folder, bridge }, options);
    const ports = [usualPort[options.runtime], 0];
    for (const port of ports) if (await listens(inspection.#server, port)) return inspection;
    await rm(root, { recursive: true, force: true });
    throw new Error('No port on the loopback is free.');
  }

  /** On 127.0.0.1. */
  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  /** Ends all connections and removes what the session needed. */
  async close(): Promise<void> {
    this.#ending.abort();
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(join(this.folder, '..'), { recursive: true, force: true });
  }

  #take(outer: Socket): void {
    this.#sockets.add(outer);
    outer.once('close', () => this.#sockets.delete(outer));
    outer.on('error', () => undefined);
    this.#wake();
    void this.#join(outer).catch(() => outer.destroy());
  }

  async #join(outer: Socket): Promise<void> {
    const giveUpAt = performance.now() + startLimitMs;
    while (!outer.destroyed && performance.now() < giveUpAt) {
      const inner = await connectTo(pipePath(this.folder));
      if (inner !== null) {
        joinSockets(outer, inner);
        return;
      }
      await delay(retryMs, undefined, { signal: this.#ending.signal });
    }
    outer.destroy();
  }
}

/** Of the pipe, as the process sees it that knows the folder by that name. */
export const pipePath = (folder: string): string =>
  process.platform === 'win32' ? `\\\\.\\pipe\\${basename(join(folder, '..'))}` : `${folder}/pipe`;

/** Beside this module, or beside the bundle that it is part of. */
function bridgeFile(): string {
  const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'mjs';
  return fileURLToPath(new URL(`inspect-bridge.${extension}`, import.meta.url));
}

function listens(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const failed = (): void => resolve(false);
    server.once('error', failed);
    server.listen({ port, host: '127.0.0.1' }, () => {
      server.off('error', failed);
      server.on('error', () => undefined);
      resolve(true);
    });
  });
}

/** Null where nobody listens yet. A worker may have put a link in its place, which is not followed. */
async function connectTo(path: string): Promise<Socket | null> {
  if (process.platform !== 'win32') {
    const found = await lstat(path).catch(() => null);
    if (found?.isSocket() !== true) return null;
  }
  return new Promise((resolve) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.once('error', () => resolve(null));
    socket.once('connect', () => resolve(socket));
  });
}

function joinSockets(outer: Socket, inner: Socket): void {
  inner.on('error', () => outer.destroy());
  outer.once('close', () => inner.destroy());
  inner.once('close', () => outer.destroy());
  outer.pipe(inner).pipe(outer);
}
