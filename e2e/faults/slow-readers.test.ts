import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { api } from '../../service/contract/index.ts';
import { isLongForm, report } from '../../service/testing/faults/fault-rounds.ts';
import {
  type HostWorkspace,
  type HostProcess,
  createHostWorkspace,
} from '../../service/testing/faults/host-process.ts';

const mebibyte = 1024 ** 2;
const readers = 20;
/** More than the limit for one reader plus the socket buffers of the system. */
const eventBytes = (isLongForm ? 100 : 40) * mebibyte;
/**
 * At most 16 MiB are queued for each reader. Readers share queued data, so all of them together
 * need little more than one; without sharing it would be 320 MiB.
 */
const mostGrowthBytes = 160 * mebibyte;

let hostDir: HostWorkspace;
let host: HostProcess;
const sockets: Socket[] = [];
beforeEach(async () => {
  hostDir = await createHostWorkspace();
  host = await hostDir.start();
  await host.client.call(api.setup.initialize, { body: { type: 'SQLITE' } });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await hostDir.cleanUp();
});

/** Opens a listener and reads the greeting. */
async function listen(): Promise<Socket> {
  const { ticket } = await host.client.call(api.notifications.ticket);
  const socket = connect(host.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(
    `GET /api/notifications/stream?ticket=${ticket} HTTP/1.1\r\nHost: 127.0.0.1:${host.port}\r\n\r\n`,
  );
  await once(socket, 'data');
  return socket;
}

/** Each control character takes six bytes in a frame. */
const body = '\u0001'.repeat(4_000);
const frameBytes = 6 * body.length;

it('stalled readers cost little memory and are disconnected, and an active one receives everything', async () => {
  const stalled = await Promise.all(Array.from({ length: readers }, listen));
  for (const socket of stalled) socket.pause();
  const reader = await listen();
  let receivedBytes = 0;
  reader.on('data', (chunk: Buffer) => (receivedBytes += chunk.length));
  const beforeBytes = await host.memoryBytes();

  const total = Math.ceil(eventBytes / frameBytes);
  let sent = 0;
  let mostBytes = beforeBytes;
  const send = async (): Promise<void> => {
    while (sent < total) {
      sent += 1;
      const title = `event ${sent}`;
      await host.client.call(api.notifications.create, {
        body: { source: 'host', level: 'info', title, body },
      });
      if (sent % 200 === 0) mostBytes = Math.max(mostBytes, await host.memoryBytes());
    }
  };
  await Promise.all(Array.from({ length: 8 }, send));

  await expect.poll(() => receivedBytes).toBeGreaterThan(total * frameBytes);
  mostBytes = Math.max(mostBytes, await host.memoryBytes());
  const growth = Math.round((mostBytes - beforeBytes) / mebibyte);
  report(
    `${readers} readers stand still during ${Math.round(eventBytes / mebibyte)} MiB of events: memory grows by ${growth} MiB`,
  );
  expect(mostBytes - beforeBytes).toBeLessThan(mostGrowthBytes);

  const closed = stalled.map((socket) => once(socket, 'close'));
  for (const socket of stalled) socket.resume();
  await Promise.all(closed);
  expect(reader.closed).toBe(false);
}, 600_000);
