import { defaultPort, type HostOptions } from '../service/app/index.ts';

/** The default port falls back to a free one when it is taken; an explicit port does not. */
export function portChoice(asked: number | null): HostOptions['port'] {
  const number = asked ?? defaultPort;
  return { number, fallback: number === defaultPort };
}
