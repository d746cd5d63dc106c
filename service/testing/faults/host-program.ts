import { once } from 'node:events';
import { hostControls } from './host-controls.ts';
import type { HostMessage, HostOrder } from './host-orders.ts';
import { createLog } from '../../platform/log.ts';
import { startTestHost } from '../test-host.ts';

// The real service in a process that tests kill. It ends with its parent.

const send = (message: HostMessage): void => {
  if (process.connected) process.send?.(message, () => undefined);
};

process.on('disconnect', () => process.exit());
const [firstOrder] = (await once(process, 'message')) as [HostOrder];
hostControls.carryOut(firstOrder);

const [workDirectory = '', token = ''] = process.argv.slice(2);
const { host, port } = await startTestHost({
  workDirectory,
  token,
  setup: null,
  // The parent prints the log if a test fails.
  log: createLog({ level: 'ERROR', directory: null }),
});
process.on('SIGTERM', () => void host.close().then(() => process.exit(0)));
process.on('message', (order: HostOrder) => send({ answer: hostControls.carryOut(order) }));
send({ ready: { port, mode: host.mode() } });
