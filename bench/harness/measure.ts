const limitMs = 28_000;
const leastRounds = 3;

/** One measurement, in the unit of its row: milliseconds, bytes, calls per second. */
export type Sample = () => Promise<number>;

/**
 * Measures the sides in turn, A B A B …, so that other load on the machine affects all of them
 * alike. Drops the first `warmUps` rounds; a slow machine stops after 28 s with the rounds it has,
 * at least three. All results have the same length.
 */
export async function interleave<Side extends string>(
  rounds: number,
  sides: Record<Side, Sample>,
  warmUps = 1,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Side,
    number[]
  >;
  const end = performance.now() + limitMs;
  for (let round = -warmUps; round < rounds; round += 1) {
    if (round >= leastRounds && performance.now() > end) break;
    for (const name of names) {
      const value = await sides[name]();
      if (round >= 0) samples[name].push(value);
    }
  }
  return samples;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return Number.isInteger(middle)
    ? (sorted[middle - 1]! + sorted[middle]!) / 2
    : sorted[Math.floor(middle)]!;
}

/** Returns the median of a value computed from both sides of the same round. */
export function medianOfPairs(
  ours: readonly number[],
  other: readonly number[],
  join: (ours: number, other: number) => number,
): number {
  return median(ours.map((value, round) => join(value, other[round]!)));
}

/** Returns how often `work` runs per second. */
export async function perSecond(times: number, work: () => Promise<unknown>): Promise<number> {
  const tookMs = await milliseconds(work);
  return (times / tookMs) * 1_000;
}

export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
