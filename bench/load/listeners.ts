/** A process that listens to event streams and reports when an event has reached all of them. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type Order =
  | { kind: 'open'; port: number; path: string; count: number }
  /** Answered when every listener has received `bytes` more. */
  | { kind: 'expect'; bytes: number }
  | { kind: 'close' };

let sockets: Socket[] = [];
let complete = 0;
let expectedBytes = 0;

process.on('message', (order: Order) => {
  if (order.kind === 'open') void open(order).then(() => process.send?.('opened'));
  else if (order.kind === 'expect') {
    complete = 0;
    expectedBytes = order.bytes;
    process.send?.('ready');
  } else {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    process.send?.('closed');
  }
});

async function open({ port, path, count }: Extract<Order, { kind: 'open' }>): Promise<void> {
  for (let index = 0; index < count; index += 1) sockets.push(await listen(port, path));
}

async function listen(port: number, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await once(socket, 'data');
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
    if (received < expectedBytes) return;
    received -= expectedBytes;
    complete += 1;
    if (complete < sockets.length) return;
    complete = 0;
    process.send?.('all');
  });
  return socket;
}
