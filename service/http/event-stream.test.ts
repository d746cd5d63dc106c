import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostError } from '../core/host-error.ts';
import { Topic } from '../core/topic.ts';
import { sendEvents } from './event-stream.ts';
import { OpenStreams } from './open-streams.ts';
import type { EventSource, StreamEvent } from './reply.ts';
import { SingleUseStreams } from './single-use-streams.ts';

let server: Server;
let port: number;
let source: EventSource;
const streams = new OpenStreams();

beforeEach(async () => {
  server = createServer((_req, res) => sendEvents(res, source, { streams }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const open = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get({ port, host: '127.0.0.1' }, resolve).on('error', reject));

async function readAll(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return text;
}

describe('an event stream', () => {
  it('has a greeting, then frames with one event and one JSON object each [STREAM-02, STREAM-03, HTTP-03]', async () => {
    source = {
      greeting: 'connected',
      open(sink) {
        sink.send({ event: 'token', data: { text: 'a\nb' } });
        sink.send({ event: 'done', data: { text: 'é' } });
        sink.end();
        return () => undefined;
      },
    };
    const answer = await open();
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    await expect(readAll(answer)).resolves.toBe(
      ': connected\n\nevent: token\ndata: {"text":"a\\nb"}\n\nevent: done\ndata: {"text":"é"}\n\n',
    );
  });

  it('ends with an error frame [STREAM-04, STREAM-06]', async () => {
    source = {
      open(sink) {
        sink.end(new HostError('upstream-failed', 'x', 'The model does not answer.'));
        sink.send({ event: 'token', data: {} });
        return () => undefined;
      },
    };
    await expect(readAll(await open())).resolves.toBe(
      'event: error\ndata: {"message":"The model does not answer."}\n\n',
    );
  });

  it('sends a heartbeat only after a pause', async () => {
    source = { heartbeatMs: 30, open: () => () => undefined };
    const answer = await open();
    const [first] = (await answer.take(1).toArray()) as Buffer[];
    expect(String(first)).toBe(': heartbeat\n\n');
  });

  it('unsubscribes when the client disconnects', async () => {
    const topic = new Topic<StreamEvent>();
    source = { open: (sink) => topic.subscribe((event) => sink.send(event)) };
    const answers = await Promise.all(Array.from({ length: 20 }, open));
    await expect.poll(() => topic.size).toBe(20);
    for (const answer of answers) answer.destroy();
    await expect.poll(() => topic.size).toBe(0);
    await expect.poll(() => streams.size).toBe(0);
  });

  it('disconnects a client that does not read once 16 MiB are buffered, and serves the others', async () => {
    const topic = new Topic<StreamEvent>();
    source = { open: (sink) => topic.subscribe((event) => sink.send(event)) };
    const lazy = connect(port, '127.0.0.1', () => lazy.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    lazy.on('error', () => undefined);
    lazy.pause();
    const eager = await open();
    let receivedBytes = 0;
    eager.on('data', (chunk: Buffer) => (receivedBytes += chunk.length));
    await expect.poll(() => topic.size).toBe(2);
    const data = { text: 'x'.repeat(1024 * 1024) };
    for (let i = 0; i < 64 && topic.size === 2; i += 1) {
      topic.publish({ event: 'big', data });
      const sent = (i + 1) * data.text.length;
      await expect.poll(() => receivedBytes).toBeGreaterThan(sent);
    }
    await expect.poll(() => topic.size).toBe(1);
    const before = receivedBytes;
    topic.publish({ event: 'last', data: {} });
    await expect.poll(() => receivedBytes).toBeGreaterThan(before);
    lazy.destroy();
  });

  it('ends with all others when the host asks for it', async () => {
    source = { open: () => () => undefined };
    const answer = await open();
    streams.endAll();
    await expect(readAll(answer)).resolves.toBe('');
  });
});

describe('a single-use stream', () => {
  it('buffers events until its reader comes, and has one reader only [STREAM-05]', async () => {
    const singleUse = new SingleUseStreams();
    const channel = singleUse.create('run-1');
    channel.send({ event: 'early', data: {} });
    source = singleUse.open('run-1');
    const answer = await open();
    channel.send({ event: 'late', data: {} });
    channel.end();
    await expect(readAll(answer)).resolves.toBe(
      ': connected\n\nevent: early\ndata: {}\n\nevent: late\ndata: {}\n\n',
    );
    expect(() => singleUse.open('run-1')).toThrow(expect.objectContaining({ code: 'stream_used' }));
    expect(() => singleUse.open('run-2')).toThrow(
      expect.objectContaining({ code: 'unknown_stream' }),
    );
  });
});
