import { describe, expect, it } from 'vitest';
import type { AiMode } from '../../contract/index.ts';
import { chunk, dialects, done, sseData } from '../../testing/models/raw-model.ts';
import { type ReadAnswer, readAnswer } from '../../testing/models/read-answer.ts';
import { useRawModel } from '../../testing/models/use-raw-model.ts';
import type { ModelLimits } from './wire/model-limits.ts';

const { model, backend } = await useRawModel();

const ask = (mode: AiMode, limits: Partial<ModelLimits> = {}): Promise<ReadAnswer> =>
  readAnswer(backend(mode, {}, limits), 'Hi');

function answerWith(mode: AiMode, body: string): void {
  model.script((res) =>
    res.writeHead(200, { 'Content-Type': dialects[mode].contentType }).end(body),
  );
}

describe('an answer of chat completions', () => {
  const texts = (...deltas: object[]): string => deltas.map((delta) => chunk(delta)).join('');
  const callsOf = ({ calls }: ReadAnswer): [string, string][] =>
    calls.map(({ name, arguments: args }) => [name, args]);
  async function read(body: string): Promise<ReadAnswer> {
    answerWith('cloud_c', body);
    return ask('cloud_c');
  }
  const call = (name: string, args: unknown, more: object = {}): object => ({
    tool_calls: [{ ...more, function: { name, arguments: args } }],
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
      sseData(17) + sseData(null) + sseData([]) + chunk({ content: 'a' }, 'stop') + done,
    ],
    ['with something broken after its end', `${chunk({ content: 'a' }, 'stop')}data: {"cho\n\n`],
    [
      'with a second choice',
      sseData({ choices: [{ index: 1, delta: { content: 'b' } }] }) +
        chunk({ content: 'a' }, 'stop') +
        done,
    ],
  ])('%s is complete', async (_, body) => {
    const answer = await read(body);
    expect(answer).toMatchObject({ text: 'a', error: undefined, end: { reason: 'stop' } });
  });

  it('of a server without streaming is complete', async () => {
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

  it('of a server that only sends keep-alives is waited for', async () => {
    const comments = 12;
    model.script((res) => {
      res.writeHead(200, { 'Content-Type': dialects.cloud_c.contentType });
      let sentCount = 0;
      const timer = setInterval(() => {
        sentCount += 1;
        if (sentCount <= comments) res.write(': processing\n\n');
        else res.end(chunk({ content: 'a' }, 'stop') + done);
        if (sentCount > comments) clearInterval(timer);
      }, 25);
    });
    expect(await ask('cloud_c', { idleMs: 200 })).toMatchObject({ text: 'a', error: undefined });
  });

  it('whose server leaves the connection open comes to an end', async () => {
    model.script((res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write(chunk({ content: 'a' }, 'stop'));
    });
    expect(await ask('cloud_c', { settleMs: 50 })).toMatchObject({ text: 'a', error: undefined });
    await expect.poll(() => model.abortedAnswers).toBe(1);
  });

  it.each([
    ['reasoning_content', texts({ reasoning_content: 'hm' }, { content: 'a' })],
    ['reasoning', texts({ reasoning: 'hm', content: null }, { content: 'a' })],
    ['both at once', texts({ reasoning: 'hm', reasoning_content: 'hm' }, { content: 'a' })],
    ['tags', texts({ content: '<think>hm</think>\n\na' })],
    [
      'tags in pieces',
      texts(...Array.from('\n<think>\nhm</think>\n\na', (content) => ({ content }))),
    ],
    [
      'parts',
      texts({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
          { type: 'text', text: 'a' },
        ],
      }),
    ],
  ])('separates thinking in %s from text', async (_, body) => {
    expect(await read(body + chunk({}, 'stop') + done)).toMatchObject({
      thinking: 'hm',
      text: 'a',
    });
  });

  it('treats a later tag as text, and an unclosed one as thinking', async () => {
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
  ])('assembles tool calls: %s', async (_, body, expected) => {
    for (const finish of ['tool_calls', 'stop']) {
      const answer = await read(body + chunk({}, finish) + done);
      expect(callsOf(answer)).toEqual(expected);
      expect(new Set(answer.calls.map(({ id }) => id)).size).toBe(expected.length);
      expect(answer.calls.every(({ id }) => id !== '')).toBe(true);
      expect(answer.end?.reason).toBe('tool-calls');
    }
  });

  it('accepts 200 calls and an argument of 5 MB', async () => {
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

  it('with endless calls or arguments is too large', async () => {
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

  it('with a refusal has the reason', async () => {
    const { text, end } = await read(
      chunk({ refusal: 'I cannot do that.' }) + chunk({}, 'stop') + done,
    );
    expect([text, end?.reason]).toEqual(['I cannot do that.', 'refusal']);
  });

  it('counts tokens in any of their positions', async () => {
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

  it('that turns into an error keeps the output so far', async () => {
    const error = { message: 'The server had an error.', type: 'server_error' };
    expect(await read(chunk({ content: 'so far' }) + sseData({ error }))).toMatchObject({
      text: 'so far',
      error: { code: 'model_server_failed' },
    });
  });

  it('with an immediate error is requested again if that may help', async () => {
    answerWith('cloud_c', sseData({ error: { message: 'Overloaded', code: 503 } }));
    expect(await ask('cloud_c')).toMatchObject({ error: { code: 'model_server_failed' } });
    expect(model.requests).toHaveLength(3);
    answerWith('cloud_c', sseData({ error: { message: 'No', type: 'invalid_request_error' } }));
    expect(await ask('cloud_c')).toMatchObject({ error: { code: 'model_refused' } });
    expect(model.requests).toHaveLength(1);
  });
});
