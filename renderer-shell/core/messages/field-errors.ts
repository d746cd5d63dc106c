import { ServiceError } from '../../../service/client/index.ts';
import { fieldText } from './host-message.ts';

/** Returns what the service reported about single fields of a form, by their names. */
export function fieldErrors(error: unknown): ReadonlyMap<string, string> {
  const errors = error instanceof ServiceError ? (error.problem.errors ?? []) : [];
  return new Map(errors.map((one) => [nameIn(one.path), fieldText(one)]));
}

/** Returns the last part of a path that is not the index of an entry. */
const nameIn = (path: string): string =>
  path
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .at(-1) ?? '';
