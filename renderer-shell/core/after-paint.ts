/** Where no frames are drawn, work begins after this time all the same. */
const latestMs = 250;

/** Begins `work` once the next frame is on the screen, so that what it costs does not delay it. */
export function afterPaint(work: () => void): void {
  const start = () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    work();
  };
  const timer = setTimeout(start, latestMs);
  const frame = requestAnimationFrame(() => setTimeout(start));
}
