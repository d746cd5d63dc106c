import { ServiceError } from '../client/index.ts';

/** A refused call. */
export interface Refusal {
  status: number;
  code: string;
  /** Path and error of each invalid field. */
  errors: string[];
}

/** Returns the service's refusal of a call. */
export async function refusal(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw new Error('It was not refused.', { cause: error });
  const { status, code, errors = [] } = error.problem;
  return { status, code, errors: errors.map(({ path, message }) => `${path} ${message}`) };
}
