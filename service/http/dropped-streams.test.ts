import { type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endpoint, events, open as anyone, Notification } from '../contract/index.ts';
import { Topic } from '../core/topic.ts';
import { OpenStreams } from './open-streams.ts';
import type { StreamEvent } from './reply.ts';
import { route } from './route.ts';
import { type Mounted, mounted } from '../testing/mounted.ts';

const stream = endpoint({
  method: 'GET',
  path: '/api/test/stream',
  access: anyone,
  summary: 'What the topic says',
  reply: events({ notification: Notification }),
});

let current: Mounted;
let server: Server;
let port: number;
let topic: Topic<StreamEvent>;
let streams: OpenStreams;

beforeEach(async () => {
  topic = new Topic();
  streams = new OpenStreams();
  const routes = [
    route(stream, () => ({
      greeting: 'connected',
      heartbeatMs: 25_000,
      open: (sink) => topic.subscribe((event) => sink.send(event)),
    })),
  ];
  current = await mounted({ routes, streams });
  ({ server, port } = current);
});
afterEach(() => current.close());

function connectToStream(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET /api/test/stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

const connections = (): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)));

async function expectBaseline(): Promise<void> {
  await expect.poll(() => topic.size).toBe(0);
  await expect.poll(() => streams.size).toBe(0);
  await expect.poll(connections).toBe(0);
}

describe('a stream whose client drops the connection', () => {
  it('leaves nothing behind, a thousand times after the first frame (R-12)', async () => {
    const dropAfterFirstMessage = async (): Promise<void> => {
      const socket = await connectToStream();
      const firstEvent = new Promise<string>((resolve) => {
        let text = '';
        socket.on('data', (chunk) => {
          text += String(chunk);
          if (text.includes('event: one\n')) resolve(text);
        });
      });
      await expect.poll(() => topic.size).toBeGreaterThan(0);
      const publishing = setInterval(() => topic.publish({ event: 'one', data: {} }), 5);
      await firstEvent;
      clearInterval(publishing);
      socket.destroy();
    };
    for (let round = 0; round < 50; round += 1)
      await Promise.all(Array.from({ length: 20 }, dropAfterFirstMessage));
    await expectBaseline();
  });

  it('leaves nothing behind when frames are still buffered for it (R-12)', async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, connectToStream));
    for (const socket of sockets) socket.pause();
    await expect.poll(() => topic.size).toBe(20);
    const data = { text: 'x'.repeat(1024 * 1024) };
    for (let i = 0; i < 8; i += 1) topic.publish({ event: 'big', data });
    expect(topic.size).toBe(20);
    for (const socket of sockets) socket.destroy();
    await expectBaseline();
  });

  it('stops its heartbeat (R-12)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const sockets = await Promise.all(Array.from({ length: 20 }, connectToStream));
      while (topic.size < 20) await immediate();
      expect(vi.getTimerCount()).toBe(20);
      for (const socket of sockets) socket.destroy();
      while (topic.size > 0) await immediate();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is also released when it asked for the end before', async () => {
    const sockets = await Promise.all(Array.from({ length: 10 }, connectToStream));
    await expect.poll(() => topic.size).toBe(10);
    for (const socket of sockets) socket.end();
    await expect.poll(() => topic.size).toBe(0);
    await expect.poll(() => streams.size).toBe(0);
  });
});
