/** Time for drawing in each frame, in milliseconds; the rest is for the page. */
const sliceMs = 8;

type Draw = () => void;

const pending: Draw[] = [];
let isScheduled = false;

function run(): void {
  isScheduled = false;
  const started = performance.now();
  while (pending.length > 0 && performance.now() - started < sliceMs) pending.shift()?.();
  if (pending.length > 0) schedule();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  // A frame is painted between two slices.
  requestAnimationFrame(() => setTimeout(run));
}

/**
 * Draws once `prepare` has resolved, a few elements in each frame. The returned function cancels
 * it. An element whose `prepare` rejects is not drawn.
 */
export function drawBetweenFrames(prepare: () => Promise<Draw>): () => void {
  let isActive = true;
  prepare().then(
    (draw) => {
      if (!isActive) return;
      pending.push(() => {
        if (isActive) draw();
      });
      schedule();
    },
    () => undefined,
  );
  return () => {
    isActive = false;
  };
}
