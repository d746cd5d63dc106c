import { HostError } from '../../core/host-error.ts';
import type { Updater } from '../../platform/updater.ts';
import { isNewer } from './release.ts';
import { hostVersion } from '../../contract/index.ts';
import { msg } from '../../messages/index.ts';

/** Adapts the desktop updater: drops offers that are not newer, and wraps its errors. */
export function desktopUpdater(updater: Updater): Updater {
  return {
    async check(signal) {
      const offer = await withUpdateError(updater.check(signal), signal);
      return offer !== null && isNewer(offer.version, hostVersion) ? offer : null;
    },
    download: (onPercent, signal) => withUpdateError(updater.download(onPercent, signal), signal),
    command: () => updater.command(),
    restart: () => withUpdateError(updater.restart(), null),
  };
}

function withUpdateError<T>(work: Promise<T>, signal: AbortSignal | null): Promise<T> {
  return work.catch((cause: unknown) => {
    if (signal?.aborted === true) throw signal.reason;
    const [firstLine = ''] = String(cause instanceof Error ? cause.message : cause).split('\n');
    const message = msg('updates.failedBecause', { reason: firstLine.slice(0, 300) });
    throw new HostError('upstream-failed', 'update_failed', message, { cause });
  });
}
