import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Problem } from '../contract/index.ts';
import { type ErrorKind, HostError } from '../core/host-error.ts';

/** The only place where a kind of error meets a status. */
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

/** An error from below that has a meaning of its own; everything else stays unknown. */
export function asHostError(error: unknown): HostError | null {
  if (error instanceof HostError) return error;
  const { code } = (error ?? {}) as { code?: string };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new HostError(
      'disk-full',
      'disk_full',
      'The disk is full. Free some space and try again.',
    );
  }
  return null;
}

export function problemOf(error: unknown): Problem {
  const known = asHostError(error);
  const status = known ? statusOf[known.kind] : 500;
  const problem: Problem = {
    type: 'about:blank',
    title: titles[status] ?? STATUS_CODES[status] ?? 'Error',
    status,
    detail: known?.message ?? 'Something went wrong inside the host. The log has the details.',
    code: known?.code ?? 'internal_error',
  };
  return { ...problem, ...extrasOf(known) };
}

type Extras = Pick<Problem, 'errors' | 'rpcCode' | 'runId' | 'details'>;

function extrasOf(known: HostError | null): Extras {
  const { errors, rpcCode, runId, details } = known ?? {};
  return {
    ...(errors === undefined ? {} : { errors }),
    ...(rpcCode === undefined ? {} : { rpcCode }),
    ...(runId === undefined ? {} : { runId }),
    ...(details === undefined ? {} : { details }),
  };
}

/** Writes the problem unless the answer has begun; then the connection is cut. */
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
