import { ServiceError } from '../../../service/client/index.ts';

/** Whether an error may be gone a moment later: the service did not answer, or failed by itself. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ServiceError
    ? error.problem.status === 0 || error.problem.status >= 500
    : error instanceof DOMException && error.name === 'TimeoutError';
