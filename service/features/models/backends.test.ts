import { type FixtureFileEntry, LLMock } from '@copilotkit/aimock';
import { type IncomingMessage, request as forward, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AiMode } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import {
  answered,
  openBackend,
  quickLimits,
  readAnswer,
  userMessage,
  testKey,
} from '../../testing/models/read-answer.ts';
import { serveWeb, type WebServer } from '../../testing/web-server.ts';
import type { ImagePart, ModelBackend, ModelTool } from './model-backend.ts';

const pixel: ImagePart = {
  type: 'image',
  mimeType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};
const weather: ModelTool = {
  name: 'get_weather',
  description: 'The weather of a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const slowDown = { error: { message: 'slow down', type: 'rate_limit_error' }, status: 429 };
const fixtures: FixtureFileEntry[] = [
  {
    match: { userMessage: 'WEATHER', hasToolResult: true },
    response: { content: 'It is 21 degrees.' },
  },
  {
    match: { userMessage: 'WEATHER' },
    response: {
      reasoning: 'Call the tool.',
      content: 'Let me look. ',
      toolCalls: [{ name: 'get_weather', arguments: { city: 'Ōslo' } }],
    },
  },
  {
    match: { userMessage: 'PARALLEL' },
    response: {
      toolCalls: [
        { name: 'get_weather', arguments: { city: 'Oslo' } },
        { name: 'get_weather', arguments: { city: 'Bergen' } },
        { name: 'get_time', arguments: {} },
      ],
    },
  },
  {
    match: { userMessage: 'THINK' },
    response: { reasoning: 'First step.\nSecond step.', content: 'The answer is 42 – süß 🎈.' },
    chunkSize: 3,
  },
  {
    match: { userMessage: 'CUT' },
    response: { content: 'cut in the middle of it, here or there' },
    chunkSize: 5,
    latency: 20,
    truncateAfterChunks: 5,
  },
  {
    match: { userMessage: 'SLOW' },
    response: { content: 'word '.repeat(2_000) },
    chunkSize: 5,
    latency: 20,
  },
  { match: { userMessage: 'BUSY', sequenceIndex: 0 }, response: { ...slowDown, retryAfter: 0 } },
  { match: { userMessage: 'BUSY' }, response: { content: 'Now I can.' } },
  { match: { userMessage: 'FULL' }, response: { ...slowDown, retryAfter: 0 } },
  {
    match: { userMessage: 'LATER' },
    response: { ...slowDown, retryAfter: 3_600 },
  },
  {
    match: { userMessage: 'QUOTA' },
    response: {
      error: { message: 'You exceeded your current quota.', type: 'insufficient_quota' },
      status: 429,
    },
  },
  {
    match: { userMessage: 'WRONGKEY' },
    response: {
      error: { message: `Incorrect key ${testKey}.`, type: 'authentication_error' },
      status: 401,
    },
  },
  {
    match: { userMessage: 'TOOLONG' },
    response: {
      error: { message: 'prompt is too long: 1 > 0 maximum', type: 'invalid_request_error' },
      status: 400,
    },
  },
  { match: { userMessage: 'PICTURE' }, response: { content: 'A pixel.' } },
  { match: { userMessage: 'Hello' }, response: { content: 'Hello to you.' } },
];

let mock: LLMock;
let front: WebServer;
let onlyCompatible: WebServer;
/** Body of the last request as it was sent. */
let lastBody = '';
beforeAll(async () => {
  mock = await LLMock.create({ port: 0, host: '127.0.0.1' });
  mock.addFixturesFromJSON(fixtures);
  front = await serveWeb(passOn);
  onlyCompatible = await serveWeb((req, res) => {
    if (req.url?.startsWith('/v1/')) passOn(req, res);
    else res.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"No such file"}');
  });
});
afterAll(async () => {
  await front.close();
  await onlyCompatible.close();
  await mock.stop();
});

function passOn(req: IncomingMessage, res: ServerResponse): void {
  const { method, headers, url: path } = req;
  const onward = forward({ host: '127.0.0.1', port: mock.port, method, headers, path }, (from) => {
    res.writeHead(from.statusCode ?? 502, from.headers);
    from.on('error', () => res.destroy());
    from.pipe(res);
  });
  onward.on('error', () => res.destroy());
  res.on('close', () => onward.destroy());
  const pieces: Buffer[] = [];
  req.on('data', (piece: Buffer) => pieces.push(piece));
  req.on('end', () => (lastBody = Buffer.concat(pieces).toString('utf8')));
  req.pipe(onward);
}

const rows: { name: string; mode: AiMode; base: () => string }[] = [
  { name: 'local, Ollama', mode: 'local', base: () => front.base },
  { name: 'local, below /v1', mode: 'local', base: () => onlyCompatible.base },
  { name: 'cloud_a', mode: 'cloud_a', base: () => front.base },
  { name: 'cloud_b', mode: 'cloud_b', base: () => front.base },
  { name: 'cloud_c', mode: 'cloud_c', base: () => `${front.base}/v1` },
];

describe.each(rows)(
  'the backend of $name [AICONFIG-05, AICONFIG-06, AICONFIG-07, AICONFIG-08]',
  ({ mode, base }) => {
    let backend: ModelBackend & { close: () => Promise<void> };
    beforeAll(() => {
      backend = openBackend({ mode, baseUrl: base() });
    });
    afterAll(() => backend.close());

    it('streams a text to its end', async () => {
      const answer = await readAnswer(backend, {
        messages: [userMessage('Hello')],
        system: 'Be kind.',
      });
      expect(answer).toMatchObject({ text: 'Hello to you.', calls: [], error: undefined });
      expect(answer.end?.reason).toBe('stop');
      expect(answer.events.filter(({ type }) => type === 'end')).toHaveLength(1);
      expect(lastBody).toContain('Be kind.');
    });

    it('separates thinking from text', async () => {
      const answer = await readAnswer(backend, 'THINK');
      expect(answer).toMatchObject({
        thinking: 'First step.\nSecond step.',
        text: 'The answer is 42 – süß 🎈.',
        error: undefined,
      });
      expect(answer.events.filter(({ type }) => type === 'text').length).toBeGreaterThan(3);
    });

    it('calls a tool and continues with its result', async () => {
      const first = await readAnswer(backend, {
        messages: [userMessage('WEATHER')],
        tools: [weather],
      });
      expect(first).toMatchObject({
        thinking: 'Call the tool.',
        text: 'Let me look. ',
        error: undefined,
      });
      expect(first.end?.reason).toBe('tool-calls');
      expect(first.calls.map(({ name }) => name)).toEqual(['get_weather']);
      expect(JSON.parse(first.calls[0]!.arguments)).toEqual({ city: 'Ōslo' });
      expect(lastBody).toContain('get_weather');
      const results = [{ callId: first.calls[0]!.id, output: '{"degrees":21}', isError: false }];
      const messages = [
        userMessage('WEATHER'),
        answered(first),
        { role: 'tool' as const, results },
      ];
      const second = await readAnswer(backend, { messages, tools: [weather] });
      expect(second).toMatchObject({ text: 'It is 21 degrees.', error: undefined });
      expect(second.end?.reason).toBe('stop');
      expect(lastBody).toContain('{\\"degrees\\":21}');
    });

    it('calls several tools at once with unique ids', async () => {
      const { calls, end } = await readAnswer(backend, {
        messages: [userMessage('PARALLEL')],
        tools: [weather],
      });
      expect(calls.map(({ name, arguments: args }) => [name, JSON.parse(args) as unknown])).toEqual(
        [
          ['get_weather', { city: 'Oslo' }],
          ['get_weather', { city: 'Bergen' }],
          ['get_time', {}],
        ],
      );
      expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
      expect(calls.every(({ id }) => id !== '')).toBe(true);
      expect(end?.reason).toBe('tool-calls');
    });

    it('sends images', async () => {
      const content = [{ type: 'text' as const, text: 'PICTURE' }, pixel];
      const { text } = await readAnswer(backend, { messages: [{ role: 'user', content }] });
      expect(text).toBe('A pixel.');
      expect(lastBody).toContain(pixel.data);
    });

    it('counts tokens', async () => {
      const { usage } = await readAnswer(backend, 'Hello');
      expect(usage).toEqual({
        type: 'usage',
        inputTokens: expect.any(Number) as number,
        outputTokens: expect.any(Number) as number,
      });
    });

    it('ends immediately when it is cancelled, with the reason', async () => {
      const cancel = new AbortController();
      const answer = await readAnswer(
        backend,
        { messages: [userMessage('SLOW')], signal: cancel.signal },
        ({ type }) => type === 'text' && cancel.abort(new Error('enough')),
      );
      expect(answer.text).not.toBe('');
      expect(answer.error).toEqual(new Error('enough'));
      expect(answer.end).toBeUndefined();
    });

    it('retries if the server is too busy and no output was sent', async () => {
      mock.resetMatchCounts();
      mock.clearRequests();
      expect(await readAnswer(backend, 'BUSY')).toMatchObject({
        text: 'Now I can.',
        error: undefined,
      });
      expect(mock.getRequests().map(({ response }) => response.status)).toEqual([429, 200]);
    });

    it.each([
      ['FULL', 'model_busy', 3],
      ['LATER', 'model_busy', 1],
      ['QUOTA', 'model_no_quota', 1],
      ['WRONGKEY', 'model_key_refused', 1],
      ['TOOLONG', 'model_context_too_long', 1],
    ])('reports the error, and retries only if it may help: %s', async (text, code, tries) => {
      mock.clearRequests();
      const { error } = await readAnswer(backend, text);
      expect(error).toBeInstanceOf(HostError);
      expect(error).toMatchObject({
        code,
        message: expect.stringMatching(/^[\S ]{20,600}$/) as string,
      });
      expect((error as Error).message).not.toContain(testKey);
      expect(mock.getRequests()).toHaveLength(tries);
    });

    it('keeps the output of an answer that breaks off, and does not retry', async () => {
      mock.clearRequests();
      const { text, error, end } = await readAnswer(backend, 'CUT');
      expect(text.length).toBeGreaterThan(4);
      expect('cut in the middle of it, here or there'.startsWith(text)).toBe(true);
      expect(error).toMatchObject({ code: 'model_broke_off' });
      expect(end).toBeUndefined();
      expect(mock.getRequests()).toHaveLength(1);
    });

    it('lists the models', async () => {
      const models = await backend.models(new AbortController().signal);
      expect(models.length).toBeGreaterThan(0);
      expect(models.every((name) => name !== '')).toBe(true);
    });
  },
);

it('a local server without the Ollama API is detected once', async () => {
  const backend = openBackend({ mode: 'local', baseUrl: onlyCompatible.base }, quickLimits);
  mock.clearRequests();
  const paths: string[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await readAnswer(backend, 'Hello')).toMatchObject({ text: 'Hello to you.' });
    paths.push(...mock.getRequests().map(({ path }) => path));
    mock.clearRequests();
  }
  expect(paths).toEqual(Array.from({ length: 3 }, () => '/v1/chat/completions'));
  await backend.close();
});
