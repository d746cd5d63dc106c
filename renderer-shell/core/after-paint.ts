/** The latest start of the work where no frames are drawn, in milliseconds. */
const latestMs = 250;

/**
 * Starts `work` once the next frame is on the screen, so that its cost does not delay that frame.
 * It runs exactly once, also where the frame and the limit fall together.
 */
export function afterPaint(work: () => void): void {
  let hasStarted = false;
  const start = () => {
    if (hasStarted) return;
    hasStarted = true;
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    work();
  };
  const timer = setTimeout(start, latestMs);
  const frame = requestAnimationFrame(() => setTimeout(start));
}
