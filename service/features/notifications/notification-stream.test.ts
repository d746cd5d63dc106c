import { once } from 'node:events';
import { setImmediate as immediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { api, Notification } from '../../contract/index.ts';
import { type OpenAnswer, send, startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const test = await useForFile(startTestHost());

const opened: OpenAnswer[] = [];
afterEach(() => {
  for (const answer of opened.splice(0)) answer.drop();
});

async function listen(more = ''): Promise<OpenAnswer> {
  const { ticket } = await test.client.call(api.notifications.ticket);
  const headers = { 'X-Host-Token': '' };
  const answer = await test.open(`/api/notifications/stream?ticket=${ticket}${more}`, { headers });
  opened.push(answer);
  expect(answer.status).toBe(200);
  return answer;
}

const create = (title: string, body?: string): Promise<Notification> =>
  test.client.call(api.notifications.create, {
    body: { source: 'host', level: 'info', title, body },
  });

/** Waits without timers, because the tests fake them. */
async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !holds(); await immediate())
    if (Date.now() > end) expect.fail('It did not come true within 10 seconds.');
}

/** Returns the received events as name and data. */
function eventsOf(answer: OpenAnswer): { event: string; data: unknown }[] {
  return answer
    .text()
    .split('\n\n')
    .slice(0, -1)
    .filter((frame) => !frame.startsWith(':'))
    .map((frame) => {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
      return { event: event ?? frame, data: JSON.parse(data ?? 'null') as unknown };
    });
}

const idsOf = (answer: OpenAnswer | undefined): string[] =>
  answer ? eventsOf(answer).map(({ data }) => (data as Notification).id) : [];

describe('the notification stream', () => {
  it('opens with a ticket and no token, as server-sent events [AUTH-09, HTTP-03]', async () => {
    const answer = await listen();
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
  });

  it('sends each new notification with all its fields to every listener [NOTIFY-06, NOTIFY-15, NOTIFY-18, STREAM-02]', async () => {
    const listeners = [await listen(), await listen(), await listen()];
    const first = await create('one\n\ntwo', 'event: fake\ndata: {}');
    const second = await create('second');
    for (const listener of listeners) {
      await expect.poll(() => eventsOf(listener)).toHaveLength(2);
      expect(eventsOf(listener)).toEqual([
        { event: 'notification', data: first },
        { event: 'notification', data: second },
      ]);
      Notification.strict().parse(eventsOf(listener)[0]?.data);
    }
    const ids = (await test.client.call(api.notifications.list)).map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual([second.id, first.id]);
  });

  it('sends a notification once it can be found in the history [NOTIFY-16]', async () => {
    const { ticket } = await test.client.call(api.notifications.ticket);
    const answer = await send(test.port, `/api/notifications/stream?ticket=${ticket}`, {});
    for (let i = 0; i < 20; i += 1) {
      const nextChunk = once(answer, 'data');
      const made = create(`found ${i}`);
      const [frame] = (await nextChunk) as [Buffer];
      const [newest] = await test.client.call(api.notifications.list, { query: { limit: '1' } });
      expect(String(frame)).toBe(`event: notification\ndata: ${JSON.stringify(newest)}\n\n`);
      expect(newest).toEqual(await made);
    }
    answer.destroy();
  });

  it('does not send earlier notifications [NOTIFY-17]', async () => {
    await create('before');
    const listener = await listen();
    const after = await create('after');
    await expect.poll(() => eventsOf(listener)).toEqual([{ event: 'notification', data: after }]);
  });

  it('reopens with a fresh ticket, and the history contains what was missed [NOTIFY-19]', async () => {
    const listener = await listen();
    const received = await create('heard');
    await expect.poll(() => eventsOf(listener)).toHaveLength(1);
    listener.drop();
    const missed = await create('missed');
    const again = await listen();
    const next = await create('next');
    await expect.poll(() => eventsOf(again)).toEqual([{ event: 'notification', data: next }]);
    const rows = await test.client.call(api.notifications.list, { query: { limit: '3' } });
    expect(rows).toEqual([next, missed, received]);
  });

  it('sends nothing when notifications are read or removed', async () => {
    const listener = await listen();
    const { id } = await create('only this');
    await test.client.call(api.notifications.read, { params: { id } });
    await test.client.call(api.notifications.readAll);
    await test.client.call(api.notifications.remove, { params: { id } });
    const last = await create('last');
    await expect.poll(() => eventsOf(listener).at(-1)?.data).toEqual(last);
    expect(eventsOf(listener)).toHaveLength(2);
  });

  it('sends a heartbeat after 25 seconds without an event, and again after each such period [LIMIT-03]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const listener = await listen();
      const beats = (): number => listener.text().split(': heartbeat\n\n').length - 1;
      /** Once this is answered, everything sent before it has arrived. */
      const roundTrip = async (): Promise<void> => (await listen()).drop();
      vi.advanceTimersByTime(24_999);
      await roundTrip();
      expect(beats()).toBe(0);
      vi.advanceTimersByTime(1);
      await until(() => beats() === 1);
      vi.advanceTimersByTime(20_000);
      await create('an event starts the wait anew');
      await until(() => eventsOf(listener).length === 1);
      vi.advanceTimersByTime(24_999);
      await roundTrip();
      expect(beats()).toBe(1);
      vi.advanceTimersByTime(1);
      await until(() => beats() === 2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends when the host leaves APP mode or stops', async () => {
    const other = await startTestHost();
    const { ticket } = await other.client.call(api.notifications.ticket);
    const first = await other.open(`/api/notifications/stream?ticket=${ticket}`);
    await other.client.call(api.settings.resetDatabase);
    await expect.poll(first.ended).toBe(true);
    expect(first.text()).toBe('');
    await other.close();
  });
});

describe('under load', () => {
  it('200 listeners receive the same events in the same order', async () => {
    const listeners = await Promise.all(Array.from({ length: 200 }, listen));
    const made = await Promise.all(Array.from({ length: 20 }, (_, i) => create(`heard ${i}`)));
    const expected = new Set(made.map(({ id }) => id));
    for (const listener of listeners) await expect.poll(() => eventsOf(listener)).toHaveLength(20);
    const [first] = listeners.map((listener) => listener.text());
    expect(new Set(idsOf(listeners[0]))).toEqual(expected);
    for (const listener of listeners) expect(listener.text()).toBe(first);
  });

  it('50 writers of 20 each leave exactly the newest 200, with unique ids and one event each (R-15) [LIMIT-04, NOTIFY-06]', async () => {
    const busy = await startTestHost();
    const { ticket } = await busy.client.call(api.notifications.ticket);
    const listener = await busy.open(`/api/notifications/stream?ticket=${ticket}`);
    const write = async (writer: number): Promise<Notification[]> => {
      const made: Notification[] = [];
      for (let i = 0; i < 20; i += 1) {
        const body = { source: 'host', level: 'info', title: `${writer}.${i}` } as const;
        made.push(await busy.client.call(api.notifications.create, { body }));
      }
      return made;
    };
    const made = (await Promise.all(Array.from({ length: 50 }, (_, i) => write(i)))).flat();
    const ids = made.map(({ id }) => Number(id)).sort((a, b) => a - b);
    expect(new Set(ids).size).toBe(1_000);
    await expect.poll(() => eventsOf(listener)).toHaveLength(1_000);
    const sent = eventsOf(listener).map(({ data }) => Number((data as Notification).id));
    expect(sent.sort((a, b) => a - b)).toEqual(ids);
    expect(await busy.client.call(api.notifications.unreadCount)).toEqual({ count: 200 });
    const newest = await busy.client.call(api.notifications.list, { query: { limit: '100' } });
    expect(newest.map(({ id }) => Number(id))).toEqual(ids.slice(-100).reverse());
    const oldest = [ids.at(-200), ids.at(-201)].map((id) =>
      busy.ask(`/api/notifications/${id}/read`, { method: 'POST' }),
    );
    expect((await Promise.all(oldest)).map(({ status }) => status)).toEqual([200, 404]);
    await busy.close();
  }, 120_000);
});

it('a change of the MCP servers is sent only to listeners that requested it', async () => {
  const [asked, other] = [await listen('&also=mcp'), await listen()];
  const body = { name: 'off', transport: 'STDIO', command: 'none', enabled: false } as const;
  const { id } = await test.client.call(api.mcp.create, { body });
  const changes = () => eventsOf(asked).filter(({ event }) => event === 'mcp_changed');
  await expect.poll(() => changes().length).toBeGreaterThan(0);
  expect(changes()[0]).toEqual({ event: 'mcp_changed', data: {} });
  const before = changes().length;
  await test.client.call(api.mcp.remove, { params: { id } });
  await expect.poll(() => changes().length).toBeGreaterThan(before);
  await create('The last');
  await expect.poll(() => eventsOf(other).length).toBeGreaterThan(0);
  expect(eventsOf(other).map(({ event }) => event)).toEqual(['notification']);
});
