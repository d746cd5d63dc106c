import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { databaseProblem } from './database-problem.ts';
import { pgDriver } from './pg-driver.ts';

const authenticated = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** Accepts every connection, and closes it at the first query. */
function leave(socket: Socket): void {
  socket.on('error', () => undefined);
  socket.once('data', () => {
    socket.write(Buffer.concat([authenticated, ready]));
    socket.once('data', () => socket.destroy());
  });
}

it('a server that disconnects during the setup of a connection is reported as an unresponsive database', async () => {
  const server = createServer(leave).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { Client } = await pgDriver();
  const client = new Client({ host: '127.0.0.1', port, user: 'u', password: 'p', database: 'd' });
  await new Promise<void>((resolve, reject) => {
    client.connect((error) => (error ? reject(error) : resolve()));
  });
  const failed = await Promise.resolve(client.query('SET client_min_messages TO warning')).then(
    () => null,
    (error: unknown) => error,
  );
  expect(databaseProblem(failed)).toMatchObject({ code: 'database_unavailable' });
  server.close();
  await once(server, 'close');
});
