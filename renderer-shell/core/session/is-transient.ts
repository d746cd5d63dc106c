import { ServiceError } from '../../../service/client/index.ts';

/**
 * Returns true for an error that may go away by itself: the service did not answer, or had an
 * internal failure.
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof ServiceError
    ? error.problem.status === 0 || error.problem.status >= 500
    : error instanceof DOMException && error.name === 'TimeoutError';
