/** Pseudo-random numbers from a seed. */
export interface Random {
  /** From 0 up to but excluding 1. */
  next(): number;
  /** An integer from 0 up to but excluding `end`. */
  below(end: number): number;
  /** From `from` to `to`, with the same probability for each order of magnitude. */
  logUniform(from: number, to: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Implements Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    next,
    below,
    logUniform: (from, to) => Math.exp(Math.log(from) + next() * (Math.log(to) - Math.log(from))),
    pick: (from) => from[below(from.length)]!,
  };
}
