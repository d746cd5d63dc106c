import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AiMode } from '../../contract/index.ts';
import {
  chunk,
  dialects,
  done,
  ndjson,
  type RawModel,
  sseData,
  sseEvent,
  startRawModel,
} from '../../testing/models/raw-model.ts';
import { openBackend, type ReadAnswer, readAnswer } from '../../testing/models/read-answer.ts';
import type { ModelLimits } from './wire/model-limits.ts';

let model: RawModel;
const open: { close: () => Promise<void> }[] = [];
beforeAll(async () => {
  model = await startRawModel();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((backend) => backend.close()));
});
afterAll(() => model.close());

function backend(mode: AiMode, limits: Partial<ModelLimits> = {}) {
  const opened = openBackend({ mode, baseUrl: model.base }, limits);
  open.push(opened);
  return opened;
}

const ask = (mode: AiMode, limits: Partial<ModelLimits> = {}): Promise<ReadAnswer> =>
  readAnswer(backend(mode, limits), 'Hi');

/** The whole body at once, unless it comes in pieces. */
function answerWith(mode: AiMode, body: string | (string | Buffer)[]): void {
  model.script((res) => sendAll(res, dialects[mode].contentType, [body].flat()));
}

async function sendAll(
  res: ServerResponse,
  type: string,
  pieces: (string | Buffer)[],
): Promise<void> {
  res.writeHead(200, { 'Content-Type': type });
  for (const piece of pieces) {
    res.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  res.end();
}

describe.each(AiMode.options)('an answer through %s', (mode) => {
  const { contentType, begin, text, end } = dialects[mode];

  it('that comes byte by byte is whole, also its characters', async () => {
    const body = Buffer.from(begin + text('Grüße 🎈') + text(' 日本語') + end);
    answerWith(
      mode,
      Array.from(body, (byte) => Buffer.from([byte])),
    );
    expect(await ask(mode)).toMatchObject({ text: 'Grüße 🎈 日本語', error: undefined });
  });

  it('with half a character in it is kept, and the rest follows', async () => {
    const [before, after] = (begin + text('a|b') + end).split('|') as [string, string];
    answerWith(mode, [Buffer.from(before), Buffer.from([0xe2, 0x82]), Buffer.from(after)]);
    expect(await ask(mode)).toMatchObject({ text: 'a\ufffdb', error: undefined });
  });

  it('that is a page says so', async () => {
    model.script((res) =>
      res.writeHead(200, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><p>Hi'),
    );
    const { error, events } = await ask(mode);
    expect(events).toEqual([]);
    expect(error).toMatchObject({ code: 'model_unreadable' });
  });

  it('that is a page under a false name is none either', async () => {
    model.script((res) =>
      res.writeHead(200, { 'Content-Type': contentType }).end('<!DOCTYPE html>\n<p>Hi'),
    );
    const { error, events } = await ask(mode);
    expect(events).toEqual([]);
    expect(error).toMatchObject({
      code: expect.stringMatching(/^model_(unreadable|broke_off)$/) as string,
    });
  });

  it('that ends without its end keeps what came', async () => {
    answerWith(mode, begin + text('so far'));
    expect(await ask(mode)).toMatchObject({
      text: 'so far',
      error: { code: 'model_broke_off' },
      end: undefined,
    });
  });

  it('whose connection breaks keeps what came', async () => {
    model.script((res) => {
      res.writeHead(200, { 'Content-Type': contentType });
      res.write(begin + text('so far'), () => res.destroy());
    });
    expect(await ask(mode)).toMatchObject({ text: 'so far', error: { code: 'model_broke_off' } });
    expect(model.requests).toHaveLength(1);
  });

  it('that is cut in the middle of a line keeps what came', async () => {
    answerWith(mode, begin + text('so far') + text('never said').slice(0, -20));
    expect(await ask(mode)).toMatchObject({ text: 'so far', error: { code: 'model_broke_off' } });
  });

  it('that breaks before its first word is asked for again', async () => {
    model.script((res, _seen, index) => {
      if (index < 2) {
        res.writeHead(200, { 'Content-Type': contentType });
        res.write('\n', () => res.destroy());
      } else void sendAll(res, contentType, [begin + text('third time') + end]);
    });
    expect(await ask(mode)).toMatchObject({ text: 'third time', error: undefined });
    expect(model.requests).toHaveLength(3);
  });

  it('that stands still is given up, with its connection', async () => {
    model.script((res) => {
      res.writeHead(200, { 'Content-Type': contentType });
      res.write(begin + text('so far'));
    });
    expect(await ask(mode, { idleMs: 150 })).toMatchObject({
      text: 'so far',
      error: { code: 'model_stalled', kind: 'upstream-timeout' },
    });
    await expect.poll(() => model.left).toBe(1);
    expect(model.requests).toHaveLength(1);
  });

  it('that never begins is given up, with its connection', async () => {
    model.script(() => undefined);
    expect(await ask(mode, { firstByteMs: 150 })).toMatchObject({
      events: [],
      error: { code: 'model_stalled' },
    });
    await expect.poll(() => model.left).toBe(1);
  });

  it('that is cancelled ends at the socket within a second', async () => {
    const cancel = new AbortController();
    let begunAt = 0;
    let closedAt = 0;
    model.script((res) => {
      res.writeHead(200, { 'Content-Type': contentType });
      res.write(begin + text('so far'));
      res.on('close', () => (closedAt = performance.now()));
    });
    const { signal } = cancel;
    const { error } = await readAnswer(
      backend(mode),
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], signal },
      () => {
        begunAt = performance.now();
        cancel.abort(new Error('enough'));
      },
    );
    expect(error).toEqual(new Error('enough'));
    await expect.poll(() => closedAt).toBeGreaterThan(0);
    expect(closedAt - begunAt).toBeLessThan(1_000);
  });

  it('that is cancelled before it begins ends at the socket, too', async () => {
    const cancel = new AbortController();
    model.script(() => cancel.abort(new Error('enough')));
    const { error } = await readAnswer(backend(mode), { signal: cancel.signal });
    expect(error).toEqual(new Error('enough'));
    await expect.poll(() => model.left).toBe(1);
    expect(model.requests).toHaveLength(1);
  });

  it('whose reader leaves ends at the socket', async () => {
    model.script((res) => {
      res.writeHead(200, { 'Content-Type': contentType });
      res.write(begin + text('so far'));
    });
    const { signal } = new AbortController();
    for await (const event of backend(mode).stream({ messages: [], tools: [], signal })) {
      if (event.type === 'text') break;
    }
    await expect.poll(() => model.left).toBe(1);
  });

  it('that never ends a line is too large', async () => {
    model.script((res) => {
      res.writeHead(200, { 'Content-Type': contentType });
      res.on('error', () => undefined);
      const more = (): boolean =>
        res.destroyed || (res.write(Buffer.alloc(65_536, 0x20)) && more());
      res.on('drain', more);
      more();
    });
    const { error } = await ask(mode, { maxLineBytes: 1024 * 1024 });
    expect(error).toMatchObject({ code: 'model_too_large' });
    await expect.poll(() => model.left).toBe(1);
  });

  it('of a server that fails is asked for three times', async () => {
    model.script((res) => res.writeHead(503, { 'Content-Type': 'text/plain' }).end('no'));
    expect(await ask(mode)).toMatchObject({ events: [], error: { code: 'model_server_failed' } });
    expect(model.requests).toHaveLength(3);
  });

  it('of a server that is not there says so', async () => {
    const gone = await startRawModel();
    await gone.close();
    const { error } = await readAnswer(openBackend({ mode, baseUrl: gone.base }), 'Hi');
    expect(error).toMatchObject({
      code: 'model_unreachable',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  it('of an unknown model names it', async () => {
    model.script((res) =>
      res
        .writeHead(404, { 'Content-Type': 'application/json' })
        .end('{"error":"model \'test-model\' not found"}'),
    );
    expect(await ask(mode)).toMatchObject({
      error: { code: 'model_unknown', message: expect.stringContaining('test-model') as string },
    });
    expect(model.requests).toHaveLength(1);
  });
});

describe('an answer of chat completions', () => {
  const texts = (...deltas: object[]): string => deltas.map((delta) => chunk(delta)).join('');
  const callsOf = ({ calls }: ReadAnswer): [string, string][] =>
    calls.map(({ name, arguments: given }) => [name, given]);
  async function read(body: string): Promise<ReadAnswer> {
    answerWith('cloud_c', body);
    return ask('cloud_c');
  }
  const call = (name: string, given: unknown, more: object = {}): object => ({
    tool_calls: [{ ...more, function: { name, arguments: given } }],
  });

  it.each([
    ['without [DONE]', chunk({ content: 'a' }) + chunk({}, 'stop')],
    ['without a reason, but with [DONE]', chunk({ content: 'a' }) + done],
    [
      'with no choices first and last',
      sseData({ choices: [] }) + chunk({ content: 'a' }, 'stop') + sseData({ choices: [] }) + done,
    ],
    ['with comments between', `: keep-alive\n\n${chunk({ content: 'a' }, 'stop')}: bye\n\n${done}`],
    ['with content in parts', chunk({ content: [{ type: 'text', text: 'a' }] }, 'stop') + done],
    [
      'with what is no chunk at all',
      sseData(17) + sseData([]) + chunk({ content: 'a' }, 'stop') + done,
    ],
    ['with something broken after its end', `${chunk({ content: 'a' }, 'stop')}data: {"cho\n\n`],
    [
      'with a second choice',
      sseData({ choices: [{ index: 1, delta: { content: 'b' } }] }) +
        chunk({ content: 'a' }, 'stop') +
        done,
    ],
  ])('%s is whole', async (_, body) => {
    const answer = await read(body);
    expect(answer).toMatchObject({ text: 'a', error: undefined, end: { reason: 'stop' } });
  });

  it('of a server that does not stream is whole', async () => {
    const whole = {
      choices: [
        {
          index: 0,
          message: {
            content: 'a',
            tool_calls: [{ id: 'x', function: { name: 't', arguments: '{}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    };
    model.script((res) =>
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(whole)),
    );
    expect(await ask('cloud_c')).toMatchObject({
      text: 'a',
      calls: [{ id: 'x', name: 't', arguments: '{}' }],
      usage: { inputTokens: 1, outputTokens: 2 },
      end: { reason: 'tool-calls' },
    });
  });

  it('whose server leaves the connection open ends all the same', async () => {
    model.script((res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write(chunk({ content: 'a' }, 'stop'));
    });
    expect(await ask('cloud_c', { settleMs: 50 })).toMatchObject({ text: 'a', error: undefined });
    await expect.poll(() => model.left).toBe(1);
  });

  it.each([
    ['reasoning_content', texts({ reasoning_content: 'hm' }, { content: 'a' })],
    ['reasoning', texts({ reasoning: 'hm', content: null }, { content: 'a' })],
    ['both at once', texts({ reasoning: 'hm', reasoning_content: 'hm' }, { content: 'a' })],
    ['tags', texts({ content: '<think>hm</think>\n\na' })],
    ['tags in pieces', texts(...[...'\n<think>\nhm</think>\n\na'].map((content) => ({ content })))],
    [
      'parts',
      texts({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
          { type: 'text', text: 'a' },
        ],
      }),
    ],
  ])('tells thinking in %s apart', async (_, body) => {
    expect(await read(body + chunk({}, 'stop') + done)).toMatchObject({
      thinking: 'hm',
      text: 'a',
    });
  });

  it('takes a tag later on for text, and one that never closes for thinking', async () => {
    const text = 'Write <think>so</think>.';
    expect(await read(chunk({ content: text }, 'stop') + done)).toMatchObject({
      thinking: '',
      text,
    });
    expect(await read(chunk({ content: '<think>so</thi' }, 'stop') + done)).toMatchObject({
      thinking: 'so</thi',
      text: '',
    });
    expect(await read(chunk({ content: '<thi' }, 'stop') + done)).toMatchObject({
      thinking: '',
      text: '<thi',
    });
  });

  it.each<[string, string, [string, string][]]>([
    [
      'without index and id',
      texts(call('a', '{"x":1}'), call('b', '{"y":2}')),
      [
        ['a', '{"x":1}'],
        ['b', '{"y":2}'],
      ],
    ],
    [
      'without index, in pieces',
      texts(call('a', '{"x"', { id: '1' }), call('', ':1}', {}), call('b', '{}', { id: '2' })),
      [
        ['a', '{"x":1}'],
        ['b', '{}'],
      ],
    ],
    [
      'all with index 0',
      texts(
        call('a', '{}', { index: 0, id: '1' }),
        call('b', '{}', { index: 0, id: '2' }),
        call('b', '{}', { index: 0, id: '3' }),
      ),
      [
        ['a', '{}'],
        ['b', '{}'],
        ['b', '{}'],
      ],
    ],
    [
      'mixed with each other',
      texts(
        call('a', '{"x"', { index: 0, id: '1' }),
        call('b', '{"y"', { index: 1, id: '2' }),
        call('', ':1}', { index: 0 }),
        call('', ':2}', { index: 1 }),
      ),
      [
        ['a', '{"x":1}'],
        ['b', '{"y":2}'],
      ],
    ],
    ['with arguments as an object', texts(call('a', { x: 1 }, { index: 0 })), [['a', '{"x":1}']]],
    [
      'with no arguments',
      texts(call('a', '', { index: 0 }), call('b', null, { index: 1 })),
      [
        ['a', '{}'],
        ['b', '{}'],
      ],
    ],
    ['with broken arguments', texts(call('a', '{"x":', { index: 0 })), [['a', '{"x":']]],
    [
      'with the same id twice',
      texts(call('a', '{}', { index: 0, id: '1' }), call('b', '{}', { index: 1, id: '1' })),
      [
        ['a', '{}'],
        ['b', '{}'],
      ],
    ],
    [
      'with a new id in each piece',
      texts(call('a', '{"x"', { index: 0, id: '1' }), {
        tool_calls: [{ index: 0, id: '2', function: { arguments: ':1}' } }],
      }),
      [['a', '{"x":1}']],
    ],
  ])('puts tool calls together: %s', async (_, body, expected) => {
    for (const finish of ['tool_calls', 'stop']) {
      const answer = await read(body + chunk({}, finish) + done);
      expect(callsOf(answer)).toEqual(expected);
      expect(new Set(answer.calls.map(({ id }) => id)).size).toBe(expected.length);
      expect(answer.calls.every(({ id }) => id !== '')).toBe(true);
      expect(answer.end?.reason).toBe('tool-calls');
    }
  });

  it('takes 200 calls and an argument of 5 MB', async () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      call(`t${index}`, '{}', { index, id: `id${index}` }),
    );
    const { calls } = await read(texts(...many) + chunk({}, 'tool_calls') + done);
    expect(calls.map(({ name }) => name)).toEqual(
      Array.from({ length: 200 }, (_, index) => `t${index}`),
    );
    const large = JSON.stringify({ text: 'x'.repeat(5_000_000) });
    const pieces = large
      .match(/.{1,50000}/g)!
      .map((piece, at) => call(at === 0 ? 'a' : '', piece, { index: 0 }));
    expect(callsOf(await read(texts(...pieces) + chunk({}, 'tool_calls') + done))).toEqual([
      ['a', large],
    ]);
  });

  it('without an end of calls and arguments is too large', async () => {
    answerWith(
      'cloud_c',
      texts(...Array.from({ length: 11 }, (_, index) => call('a', '{}', { index }))),
    );
    expect(await ask('cloud_c', { maxToolCalls: 10 })).toMatchObject({
      error: { code: 'model_too_large' },
    });
    answerWith(
      'cloud_c',
      texts(...Array.from({ length: 30 }, () => call('', 'x'.repeat(1_000), { index: 0 }))),
    );
    expect(await ask('cloud_c', { maxLineBytes: 20_000 })).toMatchObject({
      error: { code: 'model_too_large' },
    });
  });

  it.each([
    ['length', 'length'],
    ['content_filter', 'refusal'],
    ['something_new', 'other'],
  ])('that ends for %s says so', async (finish, reason) => {
    expect((await read(chunk({ content: 'a' }, finish) + done)).end?.reason).toBe(reason);
  });

  it('that refuses says why', async () => {
    const { text, end } = await read(
      chunk({ refusal: 'I cannot do that.' }) + chunk({}, 'stop') + done,
    );
    expect([text, end?.reason]).toEqual(['I cannot do that.', 'refusal']);
  });

  it('counts tokens wherever they are told', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4 };
    for (const body of [
      chunk({ content: 'a' }, 'stop') + sseData({ choices: [], usage }),
      sseData({
        choices: [{ index: 0, delta: { content: 'a' } }],
        usage: { ...usage, completion_tokens: 1 },
      }) + sseData({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage }),
      chunk({ content: 'a' }) +
        sseData({
          choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
          usage: null,
          x_groq: { usage },
        }),
    ])
      expect((await read(body + done)).usage).toEqual({
        type: 'usage',
        inputTokens: 3,
        outputTokens: 4,
      });
  });

  it('that turns into an error keeps what came', async () => {
    const error = { message: 'The server had an error.', type: 'server_error' };
    expect(await read(chunk({ content: 'so far' }) + sseData({ error }))).toMatchObject({
      text: 'so far',
      error: { code: 'model_server_failed' },
    });
  });

  it('that is an error at once is asked for again where that may help', async () => {
    answerWith('cloud_c', sseData({ error: { message: 'Overloaded', code: 503 } }));
    expect(await ask('cloud_c')).toMatchObject({ error: { code: 'model_server_failed' } });
    expect(model.requests).toHaveLength(3);
    answerWith('cloud_c', sseData({ error: { message: 'No', type: 'invalid_request_error' } }));
    expect(await ask('cloud_c')).toMatchObject({ error: { code: 'model_refused' } });
    expect(model.requests).toHaveLength(1);
  });
});

describe('an answer of Ollama', () => {
  const said = (message: object, more: object = {}): string =>
    ndjson({ message: { role: 'assistant', content: '', ...message }, done: false, ...more });
  const end = ndjson({
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 7,
    eval_count: 9,
  });

  it('tells thinking, text, calls and tokens', async () => {
    answerWith(
      'local',
      said({ thinking: 'h' }) +
        said({ thinking: 'm' }) +
        said({ content: 'a' }) +
        '\n' +
        said({
          tool_calls: [
            { function: { name: 'x', arguments: { q: 'ä' } } },
            { id: 'call_1', function: { index: 1, name: 'y', arguments: {} } },
          ],
        }) +
        end,
    );
    const answer = await ask('local');
    expect(answer).toMatchObject({
      thinking: 'hm',
      text: 'a',
      error: undefined,
      usage: { inputTokens: 7, outputTokens: 9 },
      end: { reason: 'tool-calls' },
    });
    expect(answer.calls).toMatchObject([
      { name: 'x', arguments: '{"q":"ä"}' },
      { id: 'call_1', name: 'y', arguments: '{}' },
    ]);
  });

  it('that thinks in tags is told apart', async () => {
    answerWith('local', said({ content: '<think>hm</think>' }) + said({ content: 'a' }) + end);
    expect(await ask('local')).toMatchObject({ thinking: 'hm', text: 'a' });
  });

  it('that turns into an error keeps what came, and says what the server says', async () => {
    answerWith(
      'local',
      said({ content: 'so far' }) + ndjson({ error: 'model runner has unexpectedly stopped' }),
    );
    expect(await ask('local')).toMatchObject({
      text: 'so far',
      error: { message: expect.stringContaining('unexpectedly stopped') as string },
    });
  });
});

describe('an answer of the Messages API', () => {
  it('with kinds of events and blocks that nobody knows is whole', async () => {
    const { begin, text, end } = dialects.cloud_b;
    const odd = [
      sseEvent({ type: 'something_new', index: 4 }),
      sseEvent({
        type: 'content_block_start',
        index: 7,
        content_block: { type: 'new_block', text: 'no' },
      }),
      sseEvent({
        type: 'content_block_delta',
        index: 7,
        delta: { type: 'text_delta', text: 'no' },
      }),
      sseEvent({ type: 'content_block_delta', index: 0, delta: { type: 'new_delta' } }),
      'event: ping\ndata: {"type":"ping"}\n\n',
    ];
    answerWith('cloud_b', begin + odd.join('') + text('a') + end);
    expect(await ask('cloud_b')).toMatchObject({ text: 'a', error: undefined });
  });

  it('that is refused says why', async () => {
    const delta = { stop_reason: 'refusal', stop_details: { explanation: 'Against the rules.' } };
    answerWith(
      'cloud_b',
      sseEvent({ type: 'message_start', message: {} }) +
        sseEvent({ type: 'message_delta', delta }) +
        sseEvent({ type: 'message_stop' }),
    );
    expect(await ask('cloud_b')).toMatchObject({
      text: '',
      end: { reason: 'refusal', detail: 'Against the rules.' },
    });
  });

  it('that is overloaded at once is asked for again', async () => {
    answerWith(
      'cloud_b',
      sseEvent({ type: 'message_start', message: { usage: { input_tokens: 1 } } }) +
        'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    );
    expect(await ask('cloud_b')).toMatchObject({ error: { code: 'model_server_failed' } });
    expect(model.requests).toHaveLength(3);
  });
});
