import type { Log } from '../service/app/index.ts';

/** Keeps the host running when the reader of stdout or stderr has exited. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Logs unhandled rejections; the host keeps running. */
export function logUnhandled(log: Log): void {
  process.on('unhandledRejection', (error) => {
    log.error('launch', 'A failure was not handled', error);
  });
}

/** Logs uncaught exceptions; Electron would show them in a dialog. */
export function logUncaught(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.error('launch', 'An error was not caught', error);
  });
}
