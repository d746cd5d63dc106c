import { HostError } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';

/** The reason to stop a run that another host has: this host must not write to it any more. */
export const leaseLost = (): HostError =>
  new HostError('unavailable', 'lease_lost', msg('run.takenOver'));

export const isLeaseLost = (error: unknown): boolean =>
  error instanceof HostError && error.code === 'lease_lost';
