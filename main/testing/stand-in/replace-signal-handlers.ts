import { app } from './electron.ts';

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Electron's handlers replace those that were set before it was ready. Of those set later the last
 * one counts.
 */
export function replaceSignalHandlers(): void {
  for (const signal of signals) {
    process.removeAllListeners(signal);
    const quit = (): void => app.quit();
    process.on(signal, quit);
    const replaced = (name: string | symbol): void => {
      if (name !== signal) return;
      process.off('newListener', replaced);
      process.off(signal, quit);
    };
    process.on('newListener', replaced);
  }
}
