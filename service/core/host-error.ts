import { type HostText, msg, textOf } from '../messages/index.ts';

/** What went wrong, as a word. `http/problems.ts` alone knows which status each one becomes. */
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

export interface FieldError {
  /** Dotted path of the field, or of the archive entry. */
  path: string;
  message: HostText;
  /** Where in a text, from 1. */
  line?: number;
  column?: number;
  /** The word that was most likely meant. */
  suggestion?: string;
}

export interface ErrorExtras {
  errors?: FieldError[];
  /** JSON-RPC code of a worker failure. */
  rpcCode?: number;
  /** The run that is meant. */
  runId?: string;
  /** Data beside the sentence: what a program wrote, a schema, an answer. */
  details?: string;
  cause?: unknown;
}

/**
 * An expected failure. `code` is a stable snake_case word, `text` says what happened and what to do;
 * `message` is that in English.
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
