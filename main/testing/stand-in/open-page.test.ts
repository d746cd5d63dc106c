import { beforeEach, expect, it } from 'vitest';
import { emitReady, protocol, resetElectron } from './electron.ts';
import { serveScheme } from './open-page.ts';

beforeEach(() => {
  resetElectron();
  emitReady();
});

it('a page receives the start of a stream before its first event, and its end', async () => {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (stream = controller),
  });
  const headers = { 'Content-Type': 'text/event-stream' };
  protocol.handle('app', () => Promise.resolve(new Response(body, { headers })));
  // Without flushed headers, fetch would wait for the first event.
  const answer = await fetch(`${await serveScheme()}/api/stream`);
  expect(answer.headers.get('Content-Type')).toBe('text/event-stream');
  stream?.enqueue(new TextEncoder().encode('data: 1\n\n'));
  stream?.close();
  expect(await answer.text()).toBe('data: 1\n\n');
});
