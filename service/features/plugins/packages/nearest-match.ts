/** Returns the candidate that was most likely meant; undefined if none is close. */
export function nearest(written: string, candidates: readonly string[]): string | undefined {
  const target = written.toLowerCase().slice(0, 100);
  const limit = Math.min(Math.max(1, Math.floor(target.length / 3)), target.length - 1);
  const near = candidates
    .map((word) => ({ word, distance: distanceOf(target, word.toLowerCase().slice(0, 100)) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.word;
}

/** Returns the edit distance, counting insertions, deletions, changes and swaps of neighbors. */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
