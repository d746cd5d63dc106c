import { defaultPort, type HostOptions } from '../service/app/index.ts';

/** The default port gives way when it is taken; one that was asked for by number does not. */
export function portChoice(asked: number | null): HostOptions['port'] {
  const number = asked ?? defaultPort;
  return { number, fallback: number === defaultPort };
}
