import { type HostText, msg, textOf } from '../messages/index.ts';

/** Class of an expected failure. Only `http/problems.ts` maps it to an HTTP status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'missing'
  | 'method-not-allowed'
  | 'timeout'
  | 'conflict'
  | 'gone'
  | 'too-large'
  | 'wrong-content-type'
  | 'unprocessable'
  | 'headers-too-large'
  | 'desktop-only'
  | 'upstream-failed'
  | 'upstream-timeout'
  | 'unavailable'
  | 'disk-full';

/** A wrong field of a request, or a wrong place in a document. */
export interface FieldError {
  /** Dotted path of the field, or path of the archive entry. */
  path: string;
  message: HostText;
  /** Position in a text; both count from 1. */
  line?: number;
  column?: number;
  /** The value that was probably meant. */
  suggestion?: string;
}

/** Optional fields of a `HostError`, which the problem document repeats; `cause` is only logged. */
export interface ErrorExtras {
  errors?: FieldError[];
  /** JSON-RPC error code of a plugin worker. */
  rpcCode?: number;
  /** Id of the run that the error is about. */
  runId?: string;
  /** Data next to the message, such as program output, a schema or a response. */
  details?: string;
  cause?: unknown;
}

/**
 * An expected failure. `code` is a stable snake_case identifier, `text` the translatable message
 * with what happened and what to do, and `message` its English text.
 */
export class HostError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly errors: FieldError[] | undefined;
  readonly rpcCode: number | undefined;
  readonly runId: string | undefined;
  readonly details: string | undefined;
  readonly text: HostText;

  constructor(kind: ErrorKind, code: string, text: HostText, extras: ErrorExtras = {}) {
    super(textOf(text), { cause: extras.cause });
    this.name = 'HostError';
    this.kind = kind;
    this.code = code;
    this.text = text;
    this.errors = extras.errors;
    this.rpcCode = extras.rpcCode;
    this.runId = extras.runId;
    this.details = extras.details;
  }
}

export const hostClosing = (): HostError =>
  new HostError('unavailable', 'host_closing', msg('host.closing'));
