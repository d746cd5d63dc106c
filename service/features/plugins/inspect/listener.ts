import type { Debugger } from './debug-pipe.ts';

/** The connection of a debugger that was let in. */
export interface DebuggerConnection {
  receive(content: Uint8Array): void;
  left(): void;
}

/** Asked for each debugger that connects. */
export interface Gate {
  /**
   * Null when a debugger is connected already, or the worker does not start. The worker starts for
   * the debugger where it is not running.
   */
  admit(client: Debugger): Promise<DebuggerConnection | null>;
}

/** A server on a port of the loopback address that debuggers connect to. */
export interface DebugListener {
  port: number;
  /** For the browser or IDE. */
  url: string;
  /** Closes the port and every connection. */
  close: () => Promise<void>;
}
