import { type InstanceLock, LockedError, takeLock } from '../instance-lock.ts';

/** A child process that takes and releases the lock of a folder on request. */
let lock: InstanceLock | null = null;

process.on('message', (order: { take?: string; port?: number }) => {
  void (order.take === undefined ? release() : take(order.take, order.port)).then((answer) =>
    process.send?.(answer),
  );
});

async function take(directory: string, port = 0): Promise<string> {
  try {
    lock = await takeLock(directory);
    await lock.setPort(port);
    return 'taken';
  } catch (error) {
    return error instanceof LockedError ? `refused: ${error.message}` : String(error);
  }
}

async function release(): Promise<string> {
  await lock?.release();
  lock = null;
  return 'released';
}
