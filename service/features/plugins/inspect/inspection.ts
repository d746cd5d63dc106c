import type { Duplex } from 'node:stream';
import type { Mount } from '../../../platform/isolation/sandbox.ts';
import { type Debugger, DebugPipe } from './debug-pipe.ts';
import { type Command, inspectedJava, inspectedNode } from './inspected-command.ts';
import type { DebuggerConnection, Gate } from './listener.ts';

const nodeInside = '/inspect/node';

/** What the start of a worker needs to know of the debugging session of its plugin. */
export interface WorkerInspection {
  /** Programs of this machine that the worker's sandbox has to show. */
  mounts: readonly Mount[];
  /** The command line with what lets a debugger in; `inside` tells how the worker sees a path. */
  wrap(command: Command, inside: (path: string) => string): Promise<Command>;
  /** Takes the debug pipe of the started worker. */
  attach(pipe: Duplex): void;
}

export interface InspectionOptions {
  runtime: 'java' | 'node';
  /** Absolute path of the Node that carries the bytes of a Java worker, without links. */
  node: string;
  /** Starts the worker where it is not running, after it was ended where `fresh`. */
  startWorker: (fresh: boolean) => Promise<void>;
}

/** The debugging session of one plugin: it outlives workers and takes one debugger at a time. */
export class Inspection implements Gate, WorkerInspection {
  readonly runtime: InspectionOptions['runtime'];
  readonly mounts: readonly Mount[];
  readonly #options: InspectionOptions;
  #pipe: DebugPipe | null = null;
  #isTaken = false;

  constructor(options: InspectionOptions) {
    const { runtime, node } = options;
    this.#options = options;
    this.runtime = runtime;
    const isShown = runtime === 'node' || node.startsWith('/usr/');
    this.mounts = isShown ? [] : [{ path: node, inside: nodeInside, writable: false }];
  }

  wrap(command: Command, inside: (path: string) => string): Promise<Command> {
    if (this.runtime === 'node') return inspectedNode(command);
    return inspectedJava(command, inside(this.#options.node));
  }

  attach(pipe: Duplex): void {
    this.#pipe = new DebugPipe(pipe);
  }

  async admit(client: Debugger): Promise<DebuggerConnection | null> {
    if (this.#isTaken) return null;
    this.#isTaken = true;
    const pipe = await this.#openPipe().catch(() => null);
    if (pipe === null) {
      this.#isTaken = false;
      return null;
    }
    await pipe.connect(client);
    return {
      receive: (content) => pipe.send(client, content),
      left: () => {
        pipe.disconnect(client);
        this.#isTaken = false;
      },
    };
  }

  /** Java connects to its debugger once in its life. */
  async #openPipe(): Promise<DebugPipe | null> {
    const isUsed = this.runtime === 'java' && this.#pipe?.used === true;
    if (!isUsed && this.#isOpen()) return this.#pipe;
    await this.#options.startWorker(isUsed);
    return this.#isOpen() ? this.#pipe : null;
  }

  #isOpen(): boolean {
    return this.#pipe?.closed === false;
  }
}
