const narrowest = 300;

/** Returns how many cards fit side by side into that width, in pixels. */
export const columnsOf = (width: number): number => Math.max(1, Math.floor(width / narrowest));

/** Returns the index of the card that a key moves to; null if it moves nowhere. */
export function nextIndex(
  key: string,
  index: number,
  columns: number,
  count: number,
): number | null {
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    Home: -index,
    End: count - 1 - index,
  };
  const step = steps[key];
  if (step === undefined) return null;
  const next = index + step;
  return next >= 0 && next < count && next !== index ? next : null;
}
