import type { Log } from '../service/app/index.ts';

/** A reader of stdout or stderr that has gone does not end the host. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** A promise that nobody waited for is told in the log; the host goes on. */
export function logUnhandled(log: Log): void {
  process.on('unhandledRejection', (error) => {
    log.error('launch', 'A failure was not handled', error);
  });
}

/** An error that nobody caught is told in the log; Electron would show it in a box of its own. */
export function logUncaught(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.error('launch', 'An error was not caught', error);
  });
}
