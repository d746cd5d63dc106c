import { ServiceError } from '../client/index.ts';

export interface Refusal {
  status: number;
  code: string;
  /** The path of each field and what is wrong with it. */
  errors: string[];
}

/** How the service refused a call. */
export async function refusal(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw new Error('It was not refused.', { cause: error });
  const { status, code, errors = [] } = error.problem;
  return { status, code, errors: errors.map(({ path, message }) => `${path} ${message}`) };
}
