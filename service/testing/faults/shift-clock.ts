import { hostControls } from './host-controls.ts';

// Loaded before the host: lets tests shift the wall clock of the process; the monotonic clock is
// unchanged.

const TrueDate = Date;
let offsetMs = 0;

class ShiftedDate extends TrueDate {
  constructor(...args: [] | ConstructorParameters<DateConstructor>) {
    if (args.length === 0) super(ShiftedDate.now());
    else super(...(args as [number]));
  }

  static override now(): number {
    return TrueDate.now() + offsetMs;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
hostControls.shiftClock = (newOffsetMs) => {
  offsetMs = newOffsetMs;
};
