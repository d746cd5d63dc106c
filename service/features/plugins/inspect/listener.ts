import type { Debugger } from './debug-pipe.ts';

/** The connection of an accepted debugger. */
export interface DebuggerConnection {
  receive(content: Uint8Array): void;
  left(): void;
}

/** Accepts or refuses each debugger that connects. */
export interface Gate {
  /**
   * Starts the worker if it is not running. Returns null if a debugger is already connected or the
   * worker does not start.
   */
  admit(client: Debugger): Promise<DebuggerConnection | null>;
}

/** A server on a loopback port that debuggers connect to. */
export interface DebugListener {
  port: number;
  /** The address to open in the browser or IDE. */
  url: string;
  /** Closes the port and every connection. */
  close: () => Promise<void>;
}
