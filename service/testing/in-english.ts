import { HostError } from '../core/host-error.ts';
import { type Message, textOf } from '../messages/index.ts';

export type InEnglish<T> = T extends Message
  ? string
  : T extends readonly (infer Item)[]
    ? InEnglish<Item>[]
    : T extends object
      ? { [Key in keyof T]: InEnglish<T[Key]> }
      : T;

const isMessage = (value: object): value is Message =>
  'code' in value && Object.keys(value).every((key) => key === 'code' || key === 'parameters');

/** Returns a copy of a plain value with each message replaced by its English text. */
export function inEnglish<T>(value: T): InEnglish<T> {
  return mapped(value) as InEnglish<T>;
}

function mapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mapped);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  if (isMessage(value)) return textOf(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapped(inner)]));
}

/** Rejects with the service's problem, its fields in English. */
export async function refusedInEnglish<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const { kind, code, message, errors = [] } = error;
    const inEnglish = errors.map((field) => ({ ...field, message: textOf(field.message) }));
    throw Object.assign(new Error(message), { kind, code, errors: inEnglish });
  }
}
