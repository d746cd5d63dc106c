import { HostError } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';

/** The reason to stop a run that another host has: nothing more of it may be written here. */
export const leaseLost = (): HostError =>
  new HostError('unavailable', 'lease_lost', msg('run.takenOver'));

export const isLeaseLost = (error: unknown): boolean =>
  error instanceof HostError && error.code === 'lease_lost';
