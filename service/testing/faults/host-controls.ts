import type { HostOrder, WriteCount } from './host-orders.ts';

/** Set by the modules that are loaded before the host: `fail-writes.ts` and `shift-clock.ts`. */
export const hostControls: {
  fail?: (order: Extract<HostOrder, { do: 'fail' }>['plan']) => void;
  heal?: () => WriteCount;
  shiftClock?: (offsetMs: number) => void;
  carryOut(order: HostOrder): WriteCount | number | null;
} = {
  carryOut(order) {
    switch (order.do) {
      case 'start':
        if (order.clockOffsetMs !== undefined) needed(hostControls.shiftClock)(order.clockOffsetMs);
        return null;
      case 'fail':
        needed(hostControls.fail)(order.plan);
        return null;
      case 'heal':
        return needed(hostControls.heal)();
      case 'clock':
        needed(hostControls.shiftClock)(order.offsetMs);
        return null;
      case 'memory':
        globalThis.gc?.();
        return process.memoryUsage().rss;
    }
  },
};

function needed<T>(control: T | undefined): T {
  if (control === undefined) throw new Error('The host was started without this control.');
  return control;
}
