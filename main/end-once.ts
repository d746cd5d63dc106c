import { printMessage } from './standard-streams.ts';

/** Exit comes at the latest after this, whatever hangs. */
const stopLimitMs = 4_500;

/** Runs `close` at the first call and exits with 0 after it; further calls change nothing. */
export function endOnce(close: () => Promise<void>, exit: (code: number) => void): () => void {
  let isEnding = false;
  return () => {
    if (isEnding) return;
    isEnding = true;
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
