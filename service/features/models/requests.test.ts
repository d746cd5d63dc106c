import { describe, expect, it } from 'vitest';
import { AiMode } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import {
  dialects,
  ndjson,
  type RawModel,
  answerHello,
  sseEvent,
  startRawModel,
} from '../../testing/models/raw-model.ts';
import {
  answered,
  type ReadAnswer,
  readAnswer,
  userMessage,
  testKey,
} from '../../testing/models/read-answer.ts';
import { useRawModel } from '../../testing/models/use-raw-model.ts';
import type { ImagePart, ModelMessage, ModelRequest, ModelTool } from './model-backend.ts';

const { model, backend } = await useRawModel();

/** Refuses requests for which the predicate returns a message, otherwise answers. */
function refusesWhere(
  mode: AiMode,
  refusalOf: (body: Record<string, unknown>) => string | null,
  status = 400,
): void {
  model.script((res, seen, index) => {
    const message = refusalOf(seen.body ?? {});
    if (message === null) answerHello(mode)(res, seen, index);
    else {
      res.writeHead(status, { 'Content-Type': 'application/json' });
      res.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }));
    }
  });
}

const bodies = (): Record<string, unknown>[] => model.requests.map(({ body }) => body ?? {});
const picture: ImagePart = { type: 'image', mimeType: 'image/png', data: 'aGVsbG8=' };
const tool = (name: string): ModelTool => ({ name, description: 'd', inputSchema: {} });
const showing: Partial<ModelRequest> = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Look' }, picture] }],
};

describe.each(AiMode.options)('a request through %s', (mode) => {
  const { contentType } = dialects[mode];

  it('has the key in its header and no information about this machine', async () => {
    model.script(answerHello(mode));
    await readAnswer(backend(mode), 'Hi');
    const [{ headers, path }] = model.requests as [RawModel['requests'][0]];
    const { authorization, 'x-api-key': apiKey } = headers;
    expect([authorization, apiKey]).toEqual(
      mode === 'cloud_b' ? [undefined, testKey] : [`Bearer ${testKey}`, undefined],
    );
    expect(path).not.toContain(testKey);
    expect(Object.keys(headers).filter((name) => name.startsWith('x-stainless'))).toEqual([]);
    expect(headers['user-agent']).toBe('plugin-host');
  });

  it('without a key sends none', async () => {
    model.script(answerHello(mode));
    await readAnswer(backend(mode, { apiKey: '' }), 'Hi');
    const { authorization, 'x-api-key': apiKey } = model.requests[0]!.headers;
    expect([authorization, apiKey]).toEqual([undefined, undefined]);
  });

  it.each([301, 302, 307, 308])(
    'follows a redirect (%i) on its server, and sends the key to no other one',
    async (status) => {
      const other = await startRawModel();
      other.script(answerHello(mode));
      model.script((res, seen, index) => {
        if (index > 0) return answerHello(mode)(res, seen, index);
        return res.writeHead(status, { Location: '/elsewhere?x=1' }).end();
      });
      expect(await readAnswer(backend(mode), 'Hi')).toMatchObject({ text: 'Hello' });
      expect(model.requests[1]).toMatchObject({ path: '/elsewhere?x=1', method: 'POST' });
      model.script((res) => res.writeHead(status, { Location: `${other.base}/there` }).end());
      const { error } = await readAnswer(backend(mode), 'Hi');
      expect(error).toMatchObject({ code: 'model_redirected' });
      expect((error as Error).message).toContain(other.base);
      expect(other.requests).toEqual([]);
      expect(model.requests).toHaveLength(1);
      await other.close();
    },
  );

  it('with cyclic redirects ends', async () => {
    model.script((res) => res.writeHead(307, { Location: '/again' }).end());
    expect(await readAnswer(backend(mode), 'Hi')).toMatchObject({
      error: { code: 'model_redirected' },
    });
    expect(model.requests.length).toBeLessThan(10);
  });

  it('ignores proxies, keys and addresses in the environment', async () => {
    const wrong = {
      HTTP_PROXY: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      http_proxy: 'http://127.0.0.1:9',
      ALL_PROXY: 'http://127.0.0.1:9',
      NODE_USE_ENV_PROXY: '1',
      OPENAI_API_KEY: 'sk-environment',
      OPENAI_BASE_URL: 'http://127.0.0.1:9',
      OPENAI_ORG_ID: 'org-environment',
      OPENAI_CUSTOM_HEADERS: 'x-environment: 1',
      ANTHROPIC_API_KEY: 'sk-environment',
      ANTHROPIC_AUTH_TOKEN: 'sk-environment',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      ANTHROPIC_CUSTOM_HEADERS: 'x-environment: 1',
      OLLAMA_API_KEY: 'sk-environment',
      OLLAMA_HOST: 'http://127.0.0.1:9',
    };
    const before = { ...process.env };
    Object.assign(process.env, wrong);
    try {
      model.script(answerHello(mode));
      expect(await readAnswer(backend(mode), 'Hi')).toMatchObject({ text: 'Hello' });
    } finally {
      for (const name of Object.keys(wrong)) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
    expect(JSON.stringify(model.requests)).not.toContain('environment');
  });

  it('never shows the key in an error, whatever the server returns', async () => {
    model.script((res) =>
      res
        .writeHead(400, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ error: { message: `You sent\u0000\n${testKey} and ${testKey}!` } })),
    );
    const { error } = await readAnswer(backend(mode), 'Hi');
    expect(error).toBeInstanceOf(HostError);
    expect((error as Error).message).toContain('You sent *** and ***!');
    expect((error as Error).cause).toBeUndefined();
  });

  it('uses valid tool names, and translates them back', async () => {
    const names = ['plain_name', 'mcp__files.v2__read/all', 'ü'.repeat(80), 'x'.repeat(100)];
    model.script(answerHello(mode));
    await readAnswer(backend(mode), { messages: [userMessage('Hi')], tools: names.map(tool) });
    const text = JSON.stringify(bodies()[0]!['tools']);
    const sent = [...text.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name!);
    expect(new Set(sent).size).toBe(4);
    expect(sent[0]).toBe('plain_name');
    for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    model.script((res) =>
      res.writeHead(200, { 'Content-Type': contentType }).end(callOf(mode, sent[1]!)),
    );
    const { calls } = await readAnswer(backend(mode), {
      messages: [userMessage('Hi')],
      tools: names.map(tool),
    });
    expect(calls.map(({ name }) => name)).toEqual(['mcp__files.v2__read/all']);
  });

  it('has one result for every call and no empty message', async () => {
    model.script(answerHello(mode));
    const messages: ModelMessage[] = [
      userMessage('One'),
      { role: 'assistant', content: [] },
      userMessage(''),
      {
        role: 'assistant',
        content: [{ type: 'text', text: ' ' }],
        toolCalls: [
          { id: 'functions.x:0', name: 'x', arguments: '{"a":' },
          { id: 'b', name: 'y', arguments: '{}' },
        ],
      },
      { role: 'tool', results: [{ callId: 'functions.x:0', output: 'done', isError: true }] },
      { role: 'tool', results: [{ callId: 'never', output: 'lost', isError: false }] },
      userMessage('Two'),
    ];
    expect(await readAnswer(backend(mode), { messages })).toMatchObject({ text: 'Hello' });
    const sent = JSON.stringify(bodies()[0]!['messages']);
    expect(sent).toContain('done');
    expect(sent).toContain('There is no result');
    expect(sent).not.toContain('lost');
    expect(sent).not.toContain('"text":""');
    const count = mode === 'cloud_b' ? 4 : 5;
    expect(bodies()[0]!['messages']).toHaveLength(count);
    if (mode === 'cloud_b') {
      const ids = [...sent.matchAll(/"(?:id|tool_use_id)":"([^"]+)"/g)].map(([, id]) => id!);
      expect(new Set(ids).size).toBe(2);
      for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
    }
  });

  it('is repeated once without images that the server refuses, and later ones have none [TOOL-10]', async () => {
    const hasImage = (body: object): boolean => JSON.stringify(body).includes(picture.data);
    refusesWhere(mode, (body) => (hasImage(body) ? 'image input is not supported' : null));
    const asked = backend(mode);
    expect(await readAnswer(asked, showing)).toMatchObject({ text: 'Hello', error: undefined });
    expect(bodies().map(hasImage)).toEqual([true, false]);
    expect(await readAnswer(asked, showing)).toMatchObject({ text: 'Hello' });
    expect(bodies().map(hasImage)).toEqual([true, false, false]);
    expect(JSON.stringify(bodies()[2])).toContain('takes text only');
  });

  it('keeps its images if the refusal was not about them', async () => {
    const hasImage = (body: object): boolean => JSON.stringify(body).includes(picture.data);
    refusesWhere(mode, () => 'no');
    const asked = backend(mode);
    expect(await readAnswer(asked, showing)).toMatchObject({ error: { code: 'model_refused' } });
    expect(bodies().map(hasImage)).toEqual([true, false]);
    model.script(answerHello(mode));
    await readAnswer(asked, showing);
    expect(bodies().map(hasImage)).toEqual([true]);
  });

  it('has the images of tool results', async () => {
    model.script(answerHello(mode));
    const messages: ModelMessage[] = [
      userMessage('Look'),
      { role: 'assistant', content: [], toolCalls: [{ id: 'a', name: 'x', arguments: '{}' }] },
      {
        role: 'tool',
        results: [{ callId: 'a', output: 'seen', isError: false, images: [picture] }],
      },
    ];
    await readAnswer(backend(mode), { messages });
    expect(JSON.stringify(bodies()[0])).toContain(picture.data);
  });

  it('is repeated without tools if the model supports none', async () => {
    refusesWhere(mode, (body) => (body['tools'] ? 'test-model does not support tools' : null));
    const answer = await readAnswer(backend(mode), {
      messages: [userMessage('Hi')],
      tools: [tool('x')],
    });
    expect(answer).toMatchObject({ text: 'Hello', error: undefined });
    expect(model.requests).toHaveLength(2);
  });
});

function callOf(mode: AiMode, name: string): string {
  if (mode === 'local')
    return ndjson({ message: { tool_calls: [{ function: { name, arguments: {} } }] }, done: true });
  if (mode === 'cloud_b')
    return [
      { type: 'message_start', message: {} },
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name } },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ]
      .map(sseEvent)
      .join('');
  const choice = {
    delta: { tool_calls: [{ id: 'a', function: { name } }] },
    finish_reason: 'stop',
  };
  return `data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`;
}

describe('a request of chat completions', () => {
  it('asks for token usage, unless the server does not support it', async () => {
    refusesWhere(
      'cloud_c',
      (body) => (body['stream_options'] ? 'Unknown field: stream_options' : null),
      422,
    );
    const asked = backend('cloud_c');
    expect(await readAnswer(asked, 'Hi')).toMatchObject({ text: 'Hello' });
    expect(await readAnswer(asked, 'Hi')).toMatchObject({ text: 'Hello' });
    expect(bodies().map((body) => 'stream_options' in body)).toEqual([true, false, false]);
  });

  it('returns thinking within a tool loop, in its original field', async () => {
    model.script((res) => {
      const delta = {
        reasoning: 'hm',
        tool_calls: [{ index: 0, id: 'a', function: { name: 'x', arguments: '{}' } }],
      };
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.end(`data: ${JSON.stringify({ choices: [{ delta, finish_reason: 'tool_calls' }] })}\n\n`);
    });
    const asked = backend('cloud_c');
    const first = await readAnswer(asked, 'Hi');
    model.script(answerHello('cloud_c'));
    const loop = messagesAfter(first);
    await readAnswer(asked, { messages: loop });
    await readAnswer(asked, { messages: [...loop, userMessage('Next')] });
    await readAnswer(backend('cloud_c', { model: 'another' }), { messages: loop });
    expect(bodies().map((body) => JSON.stringify(body).includes('"reasoning":"hm"'))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

const messagesAfter = (first: ReadAnswer): ModelMessage[] => [
  userMessage('Hi'),
  answered(first),
  {
    role: 'tool',
    results: first.calls.map(({ id }) => ({ callId: id, output: 'ok', isError: false })),
  },
];

describe('a request for text only', () => {
  const request = { messages: [userMessage('Hi')], tools: [tool('x')], textOnly: true };

  it('declares the tools to the Messages API, which needs them for earlier calls', async () => {
    model.script(answerHello('cloud_b'));
    expect(await readAnswer(backend('cloud_b'), request)).toMatchObject({ text: 'Hello' });
    expect(bodies()).toMatchObject([{ tool_choice: { type: 'none' }, tools: [{ name: 'x' }] }]);
  });

  it('declares none to a server without that choice, and remembers it', async () => {
    refusesWhere('cloud_b', (body) =>
      body['tool_choice'] ? "tool_choice: Input should be 'auto', 'any' or 'tool'" : null,
    );
    const asked = backend('cloud_b');
    expect(await readAnswer(asked, request)).toMatchObject({ text: 'Hello', error: undefined });
    expect(await readAnswer(asked, request)).toMatchObject({ text: 'Hello', error: undefined });
    expect(bodies().map((body) => 'tools' in body)).toEqual([true, false, false]);
  });

  it.each(['local', 'cloud_a', 'cloud_c'] as const)('declares none to %s', async (mode) => {
    model.script(answerHello(mode));
    expect(await readAnswer(backend(mode), request)).toMatchObject({ text: 'Hello' });
    expect(bodies().some((body) => 'tools' in body)).toBe(false);
  });
});

describe('a request of the Messages API', () => {
  const thinkingOf = (): unknown[] =>
    bodies().map((body) => (body['thinking'] as { type?: string } | undefined)?.type);

  it('requests thinking in the form that the model supports', async () => {
    refusesWhere('cloud_b', (body) =>
      (body['thinking'] as { type?: string } | undefined)?.type === 'adaptive'
        ? 'adaptive thinking is not supported on this model'
        : null,
    );
    const asked = backend('cloud_b');
    expect(await readAnswer(asked, 'Hi')).toMatchObject({ text: 'Hello' });
    expect(await readAnswer(asked, 'Hi')).toMatchObject({ text: 'Hello' });
    expect(thinkingOf()).toEqual(['adaptive', 'enabled', 'enabled']);
  });

  it('requests none if the model supports none', async () => {
    refusesWhere('cloud_b', (body) =>
      body['thinking'] ? 'thinking: Extra inputs are not permitted' : null,
    );
    expect(await readAnswer(backend('cloud_b'), 'Hi')).toMatchObject({ text: 'Hello' });
    expect(thinkingOf()).toEqual(['adaptive', 'enabled', undefined]);
  });

  it('limits the answer to what the model supports', async () => {
    refusesWhere('cloud_b', (body) =>
      Number(body['max_tokens']) > 8_192
        ? `max_tokens: ${String(body['max_tokens'])} > 8192, which is the maximum allowed number of output tokens`
        : null,
    );
    const asked = backend('cloud_b');
    expect(await readAnswer(asked, 'Hi')).toMatchObject({ text: 'Hello' });
    expect(
      await readAnswer(asked, { messages: [userMessage('Hi')], maxTokens: 100 }),
    ).toMatchObject({
      text: 'Hello',
    });
    expect(bodies().map((body) => body['max_tokens'])).toEqual([32_000, 8_192, 100]);
  });

  it('gives up on a server that refuses everything', async () => {
    refusesWhere('cloud_b', (body) => {
      const most = Number(body['max_tokens']);
      return `max_tokens: ${most} > ${most - 1}, which is the maximum`;
    });
    expect(await readAnswer(backend('cloud_b'), 'Hi')).toMatchObject({
      error: { code: 'model_refused' },
    });
    expect(model.requests.length).toBeLessThan(12);
  });

  it('returns signed thinking unchanged to the model that signed it', async () => {
    const events = [
      { type: 'message_start', message: {} },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'h' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'm' } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'signature_delta', signature: 'signed==' },
      },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'redacted_thinking', data: 'sealed' },
      },
      { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'Well.' } },
      {
        type: 'content_block_start',
        index: 3,
        content_block: { type: 'tool_use', id: 'toolu_1', name: 'x', input: {} },
      },
      {
        type: 'content_block_delta',
        index: 3,
        delta: { type: 'input_json_delta', partial_json: '{"a":1}' },
      },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ];
    model.script((res) =>
      res
        .writeHead(200, { 'Content-Type': 'text/event-stream' })
        .end(events.map(sseEvent).join('')),
    );
    const asked = backend('cloud_b');
    const first = await readAnswer(asked, 'Hi');
    expect(first).toMatchObject({ thinking: 'hm', text: 'Well.', end: { reason: 'tool-calls' } });
    model.script(answerHello('cloud_b'));
    const messages = JSON.parse(JSON.stringify(messagesAfter(first))) as ModelMessage[];
    await readAnswer(asked, { messages });
    const use = { type: 'tool_use', id: 'toolu_1', name: 'x', input: { a: 1 } };
    expect((bodies()[0]!['messages'] as unknown[])[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'signed==' },
        { type: 'redacted_thinking', data: 'sealed' },
        { type: 'text', text: 'Well.' },
        use,
      ],
    });
    await readAnswer(backend('cloud_b', { model: 'another' }), { messages });
    expect((bodies()[1]!['messages'] as unknown[])[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'Well.' }, use],
    });
  });
});

describe('a request of Ollama', () => {
  it('uses the configured context window', async () => {
    model.script(answerHello('local'));
    await readAnswer(backend('local', { contextWindowTokens: 4_711 }), 'Hi');
    await readAnswer(backend('local', { contextWindowTokens: 0 }), {
      messages: [userMessage('Hi')],
      maxTokens: 5,
    });
    expect(bodies().map((body) => body['options'])).toEqual([
      { num_ctx: 4_711 },
      { num_predict: 5 },
    ]);
  });

  it('never reads a file that an image names', async () => {
    model.script(answerHello('local'));
    const data = import.meta.filename;
    await readAnswer(backend('local'), {
      messages: [{ role: 'user', content: [{ ...picture, data }] }],
    });
    expect(JSON.stringify(bodies()[0])).toContain(JSON.stringify(data));
  });
});
