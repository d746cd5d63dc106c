import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Measures the longest block of the event loop until `end` is called. */
export function measureLoop(): { end(): { longestMs: number } } {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  return {
    end() {
      delays.disable();
      return { longestMs: delays.max / 1e6 };
    },
  };
}
