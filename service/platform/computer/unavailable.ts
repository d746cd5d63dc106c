import { HostError } from '../../core/host-error.ts';

/** The one code by which a missing display is told. */
export const unavailableCode = 'computer_use_unavailable';

export const unavailable = (reason: string): HostError =>
  new HostError('unavailable', 'computer_use_unavailable', reason);
