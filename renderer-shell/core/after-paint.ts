/** Upper limit on the delay where no frames are drawn, in milliseconds. */
const latestMs = 250;

/**
 * Starts `work` once the next frame is on the screen, so that its cost does not delay that frame.
 * Runs it exactly once, even when the frame and the time limit coincide.
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
