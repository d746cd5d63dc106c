import { printMessage } from './terminal-output.ts';

/** The process exits after this time at the latest, even if `close` hangs. */
const stopLimitMs = 4_500;

/**
 * Returns a function that runs `close` at its first call, then exits with 0; further calls do
 * nothing.
 */
export function endOnce(close: () => Promise<void>, exit: (code: number) => void): () => void {
  let isClosing = false;
  return () => {
    if (isClosing) return;
    isClosing = true;
    const limit = setTimeout(() => {
      printMessage('Some parts did not stop in time and were left behind.');
      exit(0);
    }, stopLimitMs);
    limit.unref();
    void close()
      .catch((error: unknown) => printMessage(`Stopping failed: ${String(error)}`))
      .then(() => {
        clearTimeout(limit);
        exit(0);
      });
  };
}
