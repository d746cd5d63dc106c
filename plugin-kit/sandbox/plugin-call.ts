/** Options of one call; aborting `signal` cancels it and restarts the worker. */
export interface CallOptions {
  /** Default: one that is made up. */
  callId?: string;
  signal?: AbortSignal;
  onProgress?: (progress: { percent?: number; message?: string }) => void;
}

/** A call that the worker answered with an error, or that the host refused. */
export class PluginCallError extends Error {
  override name = 'PluginCallError';
  /** JSON-RPC code; 0 if the host refused the call. */
  readonly code: number;
  readonly data: unknown;

  constructor(message: string, code: number, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
