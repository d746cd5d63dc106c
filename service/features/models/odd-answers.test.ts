import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { AiMode } from '../../contract/index.ts';
import { dialects, ndjson, sseEvent, startRawModel } from '../../testing/models/raw-model.ts';
import { openBackend, type ReadAnswer, readAnswer } from '../../testing/models/read-answer.ts';
import { useRawModel } from '../../testing/models/use-raw-model.ts';
import type { ModelLimits } from './wire/model-limits.ts';

const { model, backend: backendOf } = await useRawModel();

const backend = (mode: AiMode, limits: Partial<ModelLimits> = {}) => backendOf(mode, {}, limits);

const ask = (mode: AiMode, limits: Partial<ModelLimits> = {}): Promise<ReadAnswer> =>
  readAnswer(backend(mode, limits), 'Hi');

/** Answers with a body, in one piece or in several. */
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
  const { contentType, prologue: opening, text, end } = dialects[mode];

  it('that arrives byte by byte is complete, including multi-byte characters', async () => {
    const body = Buffer.from(opening + text('Grüße 🎈') + text(' 日本語') + end);
    answerWith(
      mode,
      Array.from(body, (byte) => Buffer.from([byte])),
    );
    expect(await ask(mode)).toMatchObject({ text: 'Grüße 🎈 日本語', error: undefined });
  });

  it('with half a character is kept, and the rest follows', async () => {
    const [before, after] = (opening + text('a|b') + end).split('|') as [string, string];
    answerWith(mode, [Buffer.from(before), Buffer.from([0xe2, 0x82]), Buffer.from(after)]);
    expect(await ask(mode)).toMatchObject({ text: 'a\ufffdb', error: undefined });
  });

  it('that is an HTML page is reported as such', async () => {
    model.script((res) =>
      res.writeHead(200, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><p>Hi'),
    );
    const { error, events } = await ask(mode);
    expect(events).toEqual([]);
    expect(error).toMatchObject({ code: 'model_unreadable' });
  });

  it('that is an HTML page with another content type is refused, too', async () => {
    model.script((res) =>
      res.writeHead(200, { 'Content-Type': contentType }).end('<!DOCTYPE html>\n<p>Hi'),
    );
    const { error, events } = await ask(mode);
    expect(events).toEqual([]);
    expect(error).toMatchObject({
      code: expect.stringMatching(/^model_(unreadable|broke_off)$/) as string,
    });
  });

  it('without its end keeps the output so far', async () => {
    answerWith(mode, opening + text('so far'));
    expect(await ask(mode)).toMatchObject({
      text: 'so far',
      error: { code: 'model_broke_off' },
      end: undefined,
    });
  });

  it('whose connection breaks keeps the output so far', async () => {
    model.script((res) => {
      res.writeHead(200, { 'Content-Type': contentType });
      res.write(opening + text('so far'), () => res.destroy());
    });
    expect(await ask(mode)).toMatchObject({ text: 'so far', error: { code: 'model_broke_off' } });
    expect(model.requests).toHaveLength(1);
  });

  it('that is cut within a line keeps the output so far', async () => {
    answerWith(mode, opening + text('so far') + text('never said').slice(0, -20));
    expect(await ask(mode)).toMatchObject({ text: 'so far', error: { code: 'model_broke_off' } });
  });

  it('that breaks before its first output is requested again', async () => {
    model.script((res, _seen, index) => {
      if (index < 2) {
        res.writeHead(200, { 'Content-Type': contentType });
        res.write('\n', () => res.destroy());
      } else void sendAll(res, contentType, [opening + text('third time') + end]);
    });
    expect(await ask(mode)).toMatchObject({ text: 'third time', error: undefined });
    expect(model.requests).toHaveLength(3);
  });

  it('that stalls is given up with its connection', async () => {
    model.script((res) => {
      res.writeHead(200, { 'Content-Type': contentType });
      res.write(opening + text('so far'));
    });
    expect(await ask(mode, { idleMs: 150 })).toMatchObject({
      text: 'so far',
      error: { code: 'model_stalled', kind: 'upstream-timeout' },
    });
    await expect.poll(() => model.abortedAnswers).toBe(1);
    expect(model.requests).toHaveLength(1);
  });

  it('that never starts is given up with its connection', async () => {
    model.script(() => undefined);
    expect(await ask(mode, { firstByteMs: 150 })).toMatchObject({
      events: [],
      error: { code: 'model_stalled' },
    });
    await expect.poll(() => model.abortedAnswers).toBe(1);
  });

  it('that is cancelled closes its socket within a second', async () => {
    const cancel = new AbortController();
    let startedAt = 0;
    let closedAt = 0;
    model.script((res) => {
      res.writeHead(200, { 'Content-Type': contentType });
      res.write(opening + text('so far'));
      res.on('close', () => (closedAt = performance.now()));
    });
    const { signal } = cancel;
    const { error } = await readAnswer(
      backend(mode),
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], signal },
      () => {
        startedAt = performance.now();
        cancel.abort(new Error('enough'));
      },
    );
    expect(error).toEqual(new Error('enough'));
    await expect.poll(() => closedAt).toBeGreaterThan(0);
    expect(closedAt - startedAt).toBeLessThan(1_000);
  });

  it('that is cancelled before it starts closes its socket, too', async () => {
    const cancel = new AbortController();
    model.script(() => cancel.abort(new Error('enough')));
    const { error } = await readAnswer(backend(mode), { signal: cancel.signal });
    expect(error).toEqual(new Error('enough'));
    await expect.poll(() => model.abortedAnswers).toBe(1);
    expect(model.requests).toHaveLength(1);
  });

  it('whose reader leaves closes its socket', async () => {
    model.script((res) => {
      res.writeHead(200, { 'Content-Type': contentType });
      res.write(opening + text('so far'));
    });
    const { signal } = new AbortController();
    for await (const event of backend(mode).stream({ messages: [], tools: [], signal })) {
      if (event.type === 'text') break;
    }
    await expect.poll(() => model.abortedAnswers).toBe(1);
  });

  it('with an endless line is too large', async () => {
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
    await expect.poll(() => model.abortedAnswers).toBe(1);
  });

  it('of a failing server is requested three times', async () => {
    model.script((res) => res.writeHead(503, { 'Content-Type': 'text/plain' }).end('no'));
    expect(await ask(mode)).toMatchObject({ events: [], error: { code: 'model_server_failed' } });
    expect(model.requests).toHaveLength(3);
  });

  it('of an unreachable server is reported as such', async () => {
    const closedModel = await startRawModel();
    await closedModel.close();
    const { error } = await readAnswer(openBackend({ mode, baseUrl: closedModel.base }), 'Hi');
    expect(error).toMatchObject({
      code: 'model_unreachable',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  it('for an unknown model names the model', async () => {
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

describe('an answer of Ollama', () => {
  const messageLine = (message: object, more: object = {}): string =>
    ndjson({ message: { role: 'assistant', content: '', ...message }, done: false, ...more });
  const end = ndjson({
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 7,
    eval_count: 9,
  });

  it('separates thinking, text, calls and tokens', async () => {
    answerWith(
      'local',
      messageLine({ thinking: 'h' }) +
        messageLine({ thinking: 'm' }) +
        messageLine({ content: 'a' }) +
        '\n' +
        messageLine({
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

  it('with thinking in tags is separated', async () => {
    answerWith(
      'local',
      messageLine({ content: '<think>hm</think>' }) + messageLine({ content: 'a' }) + end,
    );
    expect(await ask('local')).toMatchObject({ thinking: 'hm', text: 'a' });
  });

  it('that turns into an error keeps the output so far and the message of the server', async () => {
    answerWith(
      'local',
      messageLine({ content: 'so far' }) +
        ndjson({ error: 'model runner has unexpectedly stopped' }),
    );
    expect(await ask('local')).toMatchObject({
      text: 'so far',
      error: { message: expect.stringContaining('unexpectedly stopped') as string },
    });
  });
});

describe('an answer of the Messages API', () => {
  it('with unknown kinds of events and blocks is complete', async () => {
    const { prologue: opening, text, end } = dialects.cloud_b;
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
    answerWith('cloud_b', opening + odd.join('') + text('a') + end);
    expect(await ask('cloud_b')).toMatchObject({ text: 'a', error: undefined });
  });

  it('with a refusal has the reason', async () => {
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

  it('with an immediate overload is requested again', async () => {
    answerWith(
      'cloud_b',
      sseEvent({ type: 'message_start', message: { usage: { input_tokens: 1 } } }) +
        'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    );
    expect(await ask('cloud_b')).toMatchObject({ error: { code: 'model_server_failed' } });
    expect(model.requests).toHaveLength(3);
  });
});
