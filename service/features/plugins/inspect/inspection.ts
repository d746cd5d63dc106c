import type { Duplex } from 'node:stream';
import type { Mount } from '../../../platform/isolation/sandbox.ts';
import { type Debugger, DebugPipe } from './debug-pipe.ts';
import { type Command, inspectedJava, inspectedNode } from './inspected-command.ts';
import type { DebuggerConnection, Gate } from './listener.ts';

const nodeInside = '/inspect/node';

/** The parts of a debugging session that the start of a worker needs. */
export interface WorkerInspection {
  /** Programs of this machine that the worker's sandbox must include. */
  mounts: readonly Mount[];
  /**
   * Returns the command line that accepts a debugger; `inside` maps a path to the worker's view of
   * it.
   */
  wrap(command: Command, inside: (path: string) => string): Promise<Command>;
  /** Takes over the debug pipe of the started worker. */
  attach(pipe: Duplex): void;
}

/** Dependencies of a debugging session. */
export interface InspectionOptions {
  runtime: 'java' | 'node';
  /** Absolute path, without links, of the Node that forwards the bytes of a Java worker. */
  node: string;
  /** Starts the worker if it is not running; with `fresh`, restarts it. */
  startWorker: (fresh: boolean) => Promise<void>;
}

/** The debugging session of one plugin. It outlives workers and accepts one debugger at a time. */
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
    const isVisible = runtime === 'node' || node.startsWith('/usr/');
    this.mounts = isVisible ? [] : [{ path: node, inside: nodeInside, writable: false }];
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

  /** A Java worker accepts a debugger connection only once. */
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
