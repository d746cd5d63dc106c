import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tokenHeader } from '../contract/index.ts';
import { HostError } from '../core/host-error.ts';
import { TicketRegistry } from '../http/access.ts';
import { OpenStreams } from '../http/open-streams.ts';
import type { SingleUseStreams } from '../http/single-use-streams.ts';
import { ask, open, type OpenAnswer, raw } from '../testing/test-host.ts';
import { createRunStreams, type RunStreams } from './run-streams.ts';
import { launchToken, type Mounted, mounted } from '../testing/mounted.ts';

const token = launchToken;
let server: Mounted;
let port: number;
let run: RunStreams;
let openStreams: OpenStreams;

beforeEach(async () => {
  const tickets = new TicketRegistry();
  run = createRunStreams(tickets);
  openStreams = new OpenStreams();
  server = await mounted({ routes: run.routes, tickets, streams: openStreams });
  ({ port } = server);
});
afterEach(() => server.close());

interface Family {
  name: 'chat' | 'agent';
  channels: () => SingleUseStreams;
  minting: string;
  stream: (id: string) => string;
}
const families: Family[] = [
  {
    name: 'chat',
    channels: () => run.chat,
    minting: '/api/ai/stream-ticket',
    stream: (id) => `/api/ai/stream?streamId=${id}`,
  },
  {
    name: 'agent',
    channels: () => run.agent,
    minting: '/api/agent/stream-ticket',
    stream: (id) => `/api/agent/stream?runId=${id}`,
  },
];

const withToken = { headers: { [tokenHeader]: token } };
async function mint(family: Family): Promise<string> {
  const answer = await ask(port, family.minting, { ...withToken, method: 'POST' });
  return (answer.json() as { ticket: string }).ticket;
}
const byTicket = async (family: Family, id: string): Promise<OpenAnswer> =>
  open(port, `${family.stream(id)}&ticket=${await mint(family)}`, {});
const byToken = (family: Family, id: string): Promise<OpenAnswer> =>
  open(port, family.stream(id), withToken);

describe.each(families)('the $name stream', (family) => {
  it('opens with a ticket of its own family and the id of the stream [AUTH-07, AUTH-08, STREAM-03]', async () => {
    const channel = family.channels().create('one');
    const answer = await byTicket(family, 'one');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    await expect.poll(answer.text).toBe(': connected\n\n');
    channel.send({ event: 'token', data: { text: 'Hello\n\nthere' } });
    await expect
      .poll(answer.text)
      .toBe(': connected\n\nevent: token\ndata: {"text":"Hello\\n\\nthere"}\n\n');
    channel.end();
    await expect.poll(answer.ended).toBe(true);
  });

  it('opens with the token header and no ticket [AUTH-14]', async () => {
    family.channels().create('one');
    const answer = await byToken(family, 'one');
    expect(answer.status).toBe(200);
    await expect.poll(answer.text).toBe(': connected\n\n');
    answer.drop();
  });

  it('does not open without a valid ticket, and the failed request does not count as a reader [AUTH-07, AUTH-08, AUTH-11]', async () => {
    family.channels().create('one');
    family.channels().create('two');
    const ticket = await mint(family);
    const first = await open(port, `${family.stream('one')}&ticket=${ticket}`, {});
    expect(first.status).toBe(200);
    for (const query of [`&ticket=${ticket}`, '', '&ticket=', `&token=${token}`])
      expect((await ask(port, family.stream('two') + query, {})).status, query).toBe(401);
    first.drop();
    const second = await byTicket(family, 'two');
    expect(second.status).toBe(200);
    second.drop();
  });

  it('has one reader only: while it is open, after the reader left, and after its end [STREAM-05]', async () => {
    const channel = family.channels().create('one');
    const reader = await byTicket(family, 'one');
    const expectGone = async (): Promise<void> => {
      for (const again of [await byTicket(family, 'one'), await byToken(family, 'one')]) {
        expect(again.status).toBe(410);
        await expect.poll(again.text).toContain('"code":"stream_used"');
      }
    };
    await expectGone();
    channel.send({ event: 'token', data: { text: 'for the first' } });
    await expect.poll(reader.text).toContain('for the first');
    reader.drop();
    await expect.poll(() => openStreams.size).toBe(0);
    await expectGone();
    channel.end();
    await expectGone();
  });

  it('that is requested twice at once goes to the first request [STREAM-05]', async () => {
    const channel = family.channels().create('one');
    const head = `GET ${family.stream('one')} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${tokenHeader}: ${token}\r\n`;
    const answers = raw(port, `${head}\r\n${head}Connection: close\r\n\r\n`);
    await expect.poll(() => channel.isUsed).toBe(true);
    channel.send({ event: 'token', data: { text: 'only once' } });
    channel.end();
    const [first, second] = (await answers).split(/(?=HTTP\/1\.1 )/);
    expect(first).toContain('only once');
    expect(second).not.toContain('only once');
    expect(second).toContain('This stream was read before.');
  });

  it('delivers the events from before its reader came, in order, and ends [STREAM-02]', async () => {
    const channel = family.channels().create('one');
    for (let i = 0; i < 100; i += 1) channel.send({ event: 'token', data: { i } });
    channel.end();
    const answer = await byToken(family, 'one');
    await expect.poll(answer.ended).toBe(true);
    const [greeting, ...frames] = answer.text().split('\n\n').slice(0, -1);
    expect(greeting).toBe(': connected');
    expect(frames).toEqual(Array.from({ length: 100 }, (_, i) => `event: token\ndata: {"i":${i}}`));
  });

  it('ends right after an error, which is an event with its message [STREAM-04, STREAM-06]', async () => {
    const channel = family.channels().create('one');
    const answer = await byToken(family, 'one');
    channel.end(new HostError('upstream-failed', 'model_failed', 'The model does not answer.'));
    channel.send({ event: 'token', data: {} });
    await expect.poll(answer.ended).toBe(true);
    const frame = 'event: error\ndata: {"message":"The model does not answer."}\n\n';
    expect(answer.text()).toBe(`: connected\n\n${frame}`);
  });

  it('does not reveal the reason of an unknown failure [STREAM-06]', async () => {
    const channel = family.channels().create('one');
    const answer = await byToken(family, 'one');
    channel.end(new Error('secret=hunter2'));
    await expect.poll(answer.ended).toBe(true);
    expect(answer.text()).toMatch(/event: error\ndata: \{"message":"Something went wrong/);
    expect(answer.text()).not.toContain('hunter2');
  });

  it('answers 404 for an unknown id and 400 without an id', async () => {
    expect((await byToken(family, 'none')).status).toBe(404);
    const path = family.stream('x').split('?')[0] ?? '';
    expect((await ask(port, path, withToken)).status).toBe(400);
    expect((await ask(port, family.stream('x'.repeat(101)), withToken)).status).toBe(400);
  });

  it('continues when its reader leaves, and buffers nothing after that', async () => {
    const channel = family.channels().create('one');
    const answer = await byToken(family, 'one');
    answer.drop();
    await expect.poll(() => openStreams.size).toBe(0);
    channel.send({ event: 'token', data: {} });
    channel.end();
    family.channels().forget('one');
    expect((await byToken(family, 'one')).status).toBe(404);
  });
});

it('does not open a chat as an agent run with the same id [AUTH-12]', async () => {
  run.chat.create('same');
  const ticket = await mint(families[0]!);
  expect((await ask(port, `/api/agent/stream?runId=same&ticket=${ticket}`, {})).status).toBe(401);
  expect((await byToken(families[1]!, 'same')).status).toBe(404);
});
