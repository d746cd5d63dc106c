import { expect, it } from 'vitest';
import { api, type EventOf } from '../../contract/index.ts';
import { startChatHost } from '../../testing/chat-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startChatHost());
const { chat, conversations, runStreams } = api;

type TurnEvent = EventOf<(typeof runStreams.turn)['reply']>;

const user = (content: string) => ({ role: 'user' as const, content });

async function startTurn(inConversation = true): Promise<string> {
  const stored = inConversation ? await host.client.call(conversations.create, { body: {} }) : null;
  const body = { messages: [user('go')], ...(stored && { conversationId: stored.id }) };
  return (await host.client.call(chat.start, { body })).streamId;
}

function follow(streamId: string, after?: number) {
  const leaving = new AbortController();
  const received: TurnEvent[] = [];
  const read = async (): Promise<void> => {
    const query = after === undefined ? {} : { after };
    const input = { params: { streamId }, query, signal: leaving.signal };
    for await (const event of host.client.stream(runStreams.turn, input)) received.push(event);
  };
  const ended = read();
  ended.catch(() => undefined);
  const text = (): string =>
    received.map(({ event, data }) => (event === 'token' ? data.text : '')).join('');
  const numbers = (): number[] => received.map(({ data }) => data.sequence);
  return { received, text, numbers, ended, leave: () => leaving.abort() };
}

const stateOf = async (streamId: string): Promise<string> =>
  (await host.client.call(chat.show, { params: { streamId } })).state;

it('any number of readers get all events of a turn, numbered from 1, also after its end', async () => {
  const more = Promise.withResolvers<undefined>();
  host.model.script(() => ({ text: ['one ', 'two '], until: more.promise }));
  const streamId = await startTurn();
  const early = [follow(streamId), follow(streamId)];
  await expect.poll(() => early.map(({ text }) => text())).toEqual(['one two ', 'one two ']);
  const late = follow(streamId);
  await expect.poll(() => late.text()).toBe('one two ');
  more.resolve(undefined);
  await Promise.all([...early, late].map(({ ended }) => ended));
  const afterwards = follow(streamId);
  await afterwards.ended;
  for (const { received, numbers } of [...early, late]) {
    expect(received).toEqual(afterwards.received);
    expect(numbers()).toEqual(received.map((_, index) => index + 1));
    expect(received.at(-1)).toMatchObject({ event: 'done', data: { text: 'one two ' } });
  }
  // A stream that is read once has all of them, too.
  const query = { streamId };
  const once = [];
  for await (const event of host.client.stream(runStreams.chat, { query })) once.push(event);
  expect(once.at(-1)).toMatchObject({ event: 'done', data: { text: 'one two ' } });
});

it('a reader that reconnects gets the events it missed and none twice, by after or Last-Event-ID', async () => {
  const more = Promise.withResolvers<undefined>();
  host.model.script(() => ({ text: ['first '], until: more.promise }));
  const streamId = await startTurn();
  const reader = follow(streamId);
  await expect.poll(() => reader.text()).toBe('first ');
  reader.leave();
  const last = reader.numbers().at(-1) ?? 0;
  const again = follow(streamId, last);
  more.resolve(undefined);
  await again.ended;
  expect(again.numbers()[0]).toBe(last + 1);
  expect(again.text()).toBe('');
  const end = again.numbers().at(-1);
  const path = `/api/ai/chat/${streamId}/events`;
  const raw = await host.ask(path, { headers: { 'Last-Event-ID': `${last}` } });
  expect(raw.headers['content-type']).toContain('text/event-stream');
  expect(raw.text).toContain(`id: ${last + 1}\nevent: `);
  expect(raw.text).not.toContain(`id: ${last}\n`);
  expect(raw.text).toContain(`id: ${end}\nevent: done\n`);
  expect((await host.ask(`${path}?after=${end}`)).text).not.toContain('event:');
  expect((await host.ask(`${path}?after=x`)).status).toBe(400);
});

it('a turn that fails or is cancelled ends with a numbered error for each reader', async () => {
  host.model.script(() => ({ text: ['half'], breaksOff: true }));
  const broken = await startTurn();
  await expect(follow(broken).ended).rejects.toMatchObject({ problem: { code: 'stream_failed' } });
  await expect(follow(broken).ended).rejects.toMatchObject({ problem: { code: 'stream_failed' } });

  host.model.script(() => ({ text: ['on'], until: new Promise(() => undefined) }));
  const stopped = await startTurn();
  const readers = [follow(stopped), follow(stopped)];
  await expect.poll(() => readers.map(({ text }) => text())).toEqual(['on', 'on']);
  await host.client.call(chat.cancel, { params: { streamId: stopped } });
  for (const { ended } of readers) await expect(ended).rejects.toThrow();
  const raw = await host.ask(`/api/ai/chat/${stopped}/events`);
  expect(raw.text).toMatch(/id: \d+\nevent: error\ndata: .*"sequence":\d+}\n\n$/);
});

it('a reader that needs discarded events gets a snapshot of the turn, then the events after it', async () => {
  const more = Promise.withResolvers<undefined>();
  const large = 'x'.repeat(3 * 1024 * 1024);
  host.model.script(() => ({ text: [large], until: more.promise }));
  const streamId = await startTurn();
  const live = follow(streamId);
  await expect.poll(() => live.text().length).toBe(large.length);
  host.model.script(() => ({ text: ['more'] }));
  more.resolve(undefined);
  await live.ended;
  const late = follow(streamId);
  await late.ended;
  expect(late.received.map(({ event }) => event)).toEqual(['snapshot', 'done']);
  expect(late.received[0]).toMatchObject({ event: 'snapshot', data: { streamId, text: large } });
  expect(late.numbers()[1]).toBe(live.numbers().at(-1));
});

it('a turn without a conversation continues while a client reads its events, and for clients that reconnect', async () => {
  const more = Promise.withResolvers<undefined>();
  host.model.script(() => ({ text: ['begun'], until: more.promise }));
  const streamId = await startTurn(false);
  const reader = follow(streamId);
  await expect.poll(() => reader.text()).toBe('begun');
  const once = host.client.stream(runStreams.chat, { query: { streamId } });
  expect(await once.next()).toMatchObject({ value: { event: 'token' } });
  await once.return(undefined);
  reader.leave();
  const again = follow(streamId, reader.numbers().at(-1));
  more.resolve(undefined);
  await again.ended;
  expect(again.received.at(-1)?.event).toBe('done');
  expect(await stateOf(streamId)).toBe('done');
});

it('an unknown turn has no events, and a HEAD request consumes none', async () => {
  expect(await host.ask('/api/ai/chat/nothing/events')).toMatchObject({ status: 404 });
  host.model.script(() => ({ text: ['all'] }));
  const path = `/api/ai/chat/${await startTurn()}/events`;
  expect(await host.ask(path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  expect((await host.ask(path)).text).toContain('event: done');
});
