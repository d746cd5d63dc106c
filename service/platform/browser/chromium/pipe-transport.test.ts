import { describe, expect, it } from 'vitest';
import { PipeTransport } from './pipe-transport.ts';

const bytes = (...messages: object[]): Buffer =>
  Buffer.from(messages.map((message) => `${JSON.stringify(message)}\0`).join(''));

function open() {
  const sent: string[] = [];
  const received: object[] = [];
  const transport = new PipeTransport((piece) => sent.push(Buffer.from(piece).toString()));
  transport.onmessage = (message) => received.push(message);
  return { transport, sent, heard: received };
}

describe('messages of Chromium', () => {
  it('that arrive in one chunk are handled separately, so that a response is processed before the next event', async () => {
    const { transport } = open();
    const answered = Promise.withResolvers<void>();
    const order: string[] = [];
    let listening = false;
    const last = Promise.withResolvers<void>();
    transport.onmessage = (message) => {
      if ('id' in message) answered.resolve();
      else order.push(listening ? 'heard' : 'missed');
      if (order.length === 2) last.resolve();
    };
    void answered.promise
      .then(() => undefined)
      .then(() => undefined)
      .then(() => (listening = true));
    expect(transport.receive(bytes({ id: 1 }, { method: 'Page.a' }, { method: 'Page.b' }))).toBe(
      true,
    );
    await last.promise;
    expect(order).toEqual(['heard', 'heard']);
  });

  it('are assembled from chunks', async () => {
    const { transport, heard: received } = open();
    const whole = bytes({ id: 1, result: { title: 'Zürich 東京' } }, { id: 2 });
    for (const byte of whole) expect(transport.receive(Buffer.from([byte]))).toBe(true);
    await expect.poll(() => received).toHaveLength(2);
    expect(received).toEqual([{ id: 1, result: { title: 'Zürich 東京' } }, { id: 2 }]);
  });

  it('without a listener that a page could send endlessly are skipped', async () => {
    const { transport, heard: received } = open();
    transport.receive(bytes({ method: 'Runtime.consoleAPICalled', params: {} }, { id: 3 }));
    await expect.poll(() => received).toEqual([{ id: 3 }]);
  });

  it('end the connection if one exceeds the limit', () => {
    const { transport } = open();
    const piece = Buffer.alloc(33 * 1024 ** 2, 'x');
    expect([1, 2, 3].map(() => transport.receive(piece))).toEqual([true, true, false]);
  });

  it('are sent with a terminating NUL', () => {
    const { transport, sent } = open();
    transport.send({ id: 1, method: 'Browser.getVersion' });
    expect(sent).toEqual(['{"id":1,"method":"Browser.getVersion"}\0']);
  });
});
