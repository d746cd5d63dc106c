/** Time for drawing in one frame; the rest is for the page. */
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
 * Draws once `prepare` is done, a few of many things in each frame. The returned function takes it back.
 * An element whose `prepare` fails is not drawn.
 */
export function drawBetweenFrames(prepare: () => Promise<Draw>): () => void {
  let isWanted = true;
  prepare().then(
    (draw) => {
      if (!isWanted) return;
      pending.push(() => {
        if (isWanted) draw();
      });
      schedule();
    },
    () => undefined,
  );
  return () => {
    isWanted = false;
  };
}
