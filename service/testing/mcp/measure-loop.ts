import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Watches how long the event loop stands still, until it is ended. */
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
