import { type HostText, textOf } from '../../../messages/index.ts';

export type WorkerErrorKind =
  | 'worker-error'
  | 'crashed'
  | 'cancelled'
  | 'disabled'
  | 'timed-out'
  | 'quarantined'
  | 'missing-runtime'
  | 'sandbox-unavailable'
  | 'missing-permission'
  | 'could-not-start'
  | 'line-too-long'
  | 'overloaded';

/** Codes of the host itself; a `worker-error` has the worker's own code. */
export const rpcCodes = {
  overloaded: -32000,
  crashed: -32001,
  cancelled: -32002,
  disabled: -32003,
  timedOut: -32004,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;

/** The failure of a call to a worker. */
export class WorkerError extends Error {
  readonly kind: WorkerErrorKind;
  readonly rpcCode: number;
  readonly data: unknown;

  /** A message of the host or text of the worker; `message` is the English form. */
  readonly text: HostText;

  constructor(kind: WorkerErrorKind, rpcCode: number, text: HostText, data?: unknown) {
    super(textOf(text));
    this.name = 'WorkerFault';
    this.kind = kind;
    this.rpcCode = rpcCode;
    this.data = data;
    this.text = text;
  }
}
