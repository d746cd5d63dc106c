import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Problem } from '../contract/index.ts';
import { fieldProblem } from '../core/field-problem.ts';
import { type ErrorKind, HostError } from '../core/host-error.ts';
import { isMessage, msg, textOf } from '../messages/index.ts';

/** The only mapping of error kinds to HTTP statuses. */
export const statusOf: Record<ErrorKind, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  missing: 404,
  'method-not-allowed': 405,
  timeout: 408,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  'wrong-content-type': 415,
  unprocessable: 422,
  'headers-too-large': 431,
  'desktop-only': 501,
  'upstream-failed': 502,
  unavailable: 503,
  'upstream-timeout': 504,
  'disk-full': 507,
};

const titles: Record<number, string> = { 413: 'Too Large', 422: 'Unprocessable', 507: 'Disk Full' };

/** Converts a system error with a known meaning, such as a full disk; null for all others. */
export function asHostError(error: unknown): HostError | null {
  if (error instanceof HostError) return error;
  const { code } = (error ?? {}) as { code?: string };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new HostError('disk-full', 'disk_full', msg('disk.full'));
  }
  return null;
}

/**
 * Returns the problem document (RFC 9457) of an error; an unexpected one becomes a 500 without its
 * text.
 */
export function problemOf(error: unknown): Problem {
  const expected = asHostError(error);
  const status = expected ? statusOf[expected.kind] : 500;
  const text = expected?.text ?? msg('host.internalError');
  const problem: Problem = {
    type: 'about:blank',
    title: titles[status] ?? STATUS_CODES[status] ?? 'Error',
    status,
    detail: textOf(text),
    code: expected?.code ?? 'internal_error',
  };
  if (isMessage(text)) problem.message = text;
  return expected === null ? problem : { ...problem, ...extrasOf(expected) };
}

type Extras = Pick<Problem, 'errors' | 'rpcCode' | 'runId' | 'details'>;

/** Only the fields that are set. */
function extrasOf({ errors, rpcCode, runId, details }: HostError): Extras {
  const extras: Extras = {};
  if (errors !== undefined) extras.errors = errors.map(fieldProblem);
  if (rpcCode !== undefined) extras.rpcCode = rpcCode;
  if (runId !== undefined) extras.runId = runId;
  if (details !== undefined) extras.details = details;
  return extras;
}

/** Sends the problem, or cuts the connection when the response has already started. */
export function sendProblem(
  res: ServerResponse,
  error: unknown,
  headers: Record<string, string> = {},
): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const problem = problemOf(error);
  const body = JSON.stringify(problem);
  res.writeHead(problem.status, {
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    ...headers,
  });
  res.end(body);
}
