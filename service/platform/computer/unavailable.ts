import { HostError } from '../../core/host-error.ts';
import type { HostText } from '../../messages/index.ts';

/** Code of every error about a missing display. */
export const unavailableCode = 'computer_use_unavailable';

export const unavailable = (reason: HostText): HostError =>
  new HostError('unavailable', 'computer_use_unavailable', reason);
