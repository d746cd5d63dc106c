import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Notification } from '../service/contract/index.ts';
import { Topic } from '../service/core/topic.ts';
import { sendEvents } from '../service/http/event-stream.ts';
import { OpenStreams } from '../service/http/open-streams.ts';
import type { StreamEvent } from '../service/http/reply.ts';
import { interleave, perSecond, type Sample } from './harness/measure.ts';
import { startNode, stop } from './harness/processes.ts';
import { compare, type Row } from './harness/table.ts';
import type { Order } from './load/listeners.ts';

const rounds = 15;
const warmUps = 3;
const listeners = 200;
const eventsPerSample = 60;

const notification: Notification = {
  id: '4711',
  source: 'plugin:com.example.words',
  level: 'info',
  title: 'The report is ready',
  body: 'It has 12 pages and was saved in the folder that you chose.',
  link: '/plugins/com.example.words',
  read: false,
  createdAt: '2026-01-31T12:00:00.000Z',
  readAt: null,
};

/** One event to 200 listeners, against a loop that writes one prepared buffer to 200 responses. */
export async function fanOut(): Promise<Row[]> {
  const topic = new Topic<StreamEvent>();
  const streams = new OpenStreams();
  const responses = new Set<ServerResponse>();
  const server = createServer((req, res) => {
    if (req.url === '/ours') {
      const source = {
        heartbeatMs: 25_000,
        open: (sink: { send(event: StreamEvent): void }) =>
          topic.subscribe((event) => sink.send(event)),
      };
      sendEvents(res, source, { streams });
    } else {
      res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      res.flushHeaders();
      responses.add(res);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const frame = Buffer.from(`event: notification\ndata: ${JSON.stringify(notification)}\n\n`);
  const publish = (): void => topic.publish({ event: 'notification', data: { ...notification } });
  const write = (): void => responses.forEach((res) => res.write(frame));
  const audiences = { ours: await audience(port, '/ours'), bare: await audience(port, '/bare') };
  try {
    const { ours, bare } = await interleave(
      rounds,
      {
        ours: rateOf(audiences.ours, frame.length, publish),
        bare: rateOf(audiences.bare, frame.length, write),
      },
      warmUps,
    );
    const target = { least: 0.9 };
    return [
      compare({
        name: 'event to 200 listeners',
        unit: '/s',
        ours,
        other: bare,
        against: 'bare',
        target,
      }),
    ];
  } finally {
    await Promise.all(Object.values(audiences).map(stop));
    server.closeAllConnections();
    server.close();
  }
}

async function audience(port: number, path: string): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'load', 'listeners.ts');
  const child = startNode([program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await sendOrder(child, { kind: 'open', port, path, count: listeners });
  return child;
}

async function sendOrder(child: ChildProcess, order: Order): Promise<void> {
  child.send(order);
  await once(child, 'message');
}

/** Events per second; each is sent when the previous one has reached all listeners. */
function rateOf(child: ChildProcess, frameBytes: number, send: () => void): Sample {
  return async () => {
    await sendOrder(child, { kind: 'expect', bytes: chunkBytes(frameBytes) });
    return perSecond(eventsPerSample, async () => {
      for (let event = 0; event < eventsPerSample; event += 1) {
        const all = once(child, 'message');
        send();
        await all;
      }
    });
  };
}

/** Size of a chunk on the wire: the data, its length in hex, and two line ends. */
function chunkBytes(bytes: number): number {
  return bytes.toString(16).length + bytes + 4;
}
