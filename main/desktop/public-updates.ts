import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import type { Updater } from '../../service/platform/desktop.ts';

/** Time limits of checks and downloads, in milliseconds. */
export interface PublicLimits {
  checkMs: number;
  downloadMs: number;
}

const usualLimits: PublicLimits = { checkMs: 30_000, downloadMs: 3_600_000 };

/**
 * Updates an installed package through electron-updater, which is loaded at the first check. It
 * verifies the SHA-512 of the release description and refuses versions that are not newer.
 */
export function publicUpdates(
  load: () => Promise<AppUpdater> = loadUpdater,
  limits: PublicLimits = usualLimits,
): Updater {
  let updater: AppUpdater | null = null;
  const ready = async (): Promise<AppUpdater> => (updater ??= asWanted(await load()));
  return {
    async check(signal) {
      const checking = (await ready()).checkForUpdates();
      const found = await orLate(checking, limits.checkMs, signal);
      if (found === null || !found.isUpdateAvailable) return null;
      const { version, files } = found.updateInfo;
      const [file] = files;
      return { version, ...(file?.size === undefined ? {} : { sizeBytes: file.size }) };
    },
    async download(onPercent, signal) {
      const { CancellationToken } = await import('electron-updater');
      const own = await ready();
      const token = new CancellationToken();
      const onProgress = ({ percent }: { percent: number }): void => onPercent(Math.floor(percent));
      own.on('download-progress', onProgress);
      try {
        await orLate(own.downloadUpdate(token), limits.downloadMs, signal);
      } finally {
        own.off('download-progress', onProgress);
        token.cancel();
      }
    },
    command: () => undefined,
    async restart() {
      const own = await ready();
      let failure: Error | null = null;
      const failed = (error: Error): void => void (failure = error);
      own.on('error', failed);
      // Installs first, which may ask for an administrator password; then the app ends.
      own.quitAndInstall(false, true);
      own.off('error', failed);
      if (failure) throw failure as Error;
    },
  };
}

/** Turns off everything that electron-updater does without a request. */
function asWanted(updater: AppUpdater): AppUpdater {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.logger = null;
  // Callers get each failure from their promise; an 'error' event without a listener would end the
  // process.
  updater.on('error', () => undefined);
  return updater;
}

async function loadUpdater(): Promise<AppUpdater> {
  const { AppImageUpdater, DebUpdater, MacUpdater, NsisUpdater, RpmUpdater } =
    await import('electron-updater');
  if (process.platform === 'darwin') return new MacUpdater();
  if (process.platform === 'win32') return new NsisUpdater();
  if (process.env['APPIMAGE']) return new AppImageUpdater();
  // electron-builder writes this file into packages that a package manager installs.
  const { resourcesPath } = process as NodeJS.Process & { resourcesPath?: string };
  const type = await readFile(join(resourcesPath ?? '', 'package-type'), 'utf8').catch(() => '');
  return type.trim() === 'rpm' ? new RpmUpdater() : new DebUpdater();
}

async function orLate<T>(work: Promise<T>, limitMs: number, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const ended = Promise.withResolvers<never>();
  const end = (): void => {
    const late = new Error('the server of the releases did not answer in time');
    ended.reject(signal.aborted ? signal.reason : late);
  };
  limit.addEventListener('abort', end, { once: true });
  // A rejection after the limit has no reader.
  work.catch(() => undefined);
  return Promise.race([work, ended.promise]).finally(() => limit.removeEventListener('abort', end));
}
