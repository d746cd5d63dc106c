import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/*
  Loaded into the process that is measured, with `--import`, over an IPC channel to who started it:
  `begin` begins, `end` answers. Nothing of the product knows of it.
*/

/** In milliseconds; the timer of the measurement itself, 1 ms, is part of it. */
export interface LoopDelay {
  p99: number;
  max: number;
}

if (isMainThread && process.send) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  process.on('message', (word) => {
    if (word === 'begin') {
      delays.reset();
      delays.enable();
    }
    if (word !== 'end') return;
    delays.disable();
    process.send?.({ p99: delays.percentile(99) / 1e6, max: delays.max / 1e6 } satisfies LoopDelay);
  });
  // It keeps no process alive.
  process.channel?.unref();
}
