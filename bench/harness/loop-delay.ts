import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/*
 * Loaded into the measured process with `--import`. Its parent controls it over an IPC channel:
 * `begin` starts a measurement, `end` returns its result. The product does not know it.
 */

/** Delays in milliseconds, including the 1 ms of the timer itself. */
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
  // Does not keep the process alive.
  process.channel?.unref();
}
