import { readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AiMode } from '../../contract/index.ts';
import { serveWeb, type WebServer } from '../../testing/web-server.ts';
import { backendOf } from './backend-of.ts';
import type { ModelEvent, ModelRequest } from './model-backend.ts';
import { ModelWire } from './wire/model-wire.ts';

const directory = join(import.meta.dirname, '..', '..', 'testing', 'llm-recorded');
const names = (await readdir(directory)).filter((name) => name.endsWith('.txt'));

/** What a recorded stream holds, read from its raw chunks by rules of the test's own. */
interface Expected {
  text: string;
  thinking: string;
  /** Name and arguments of the calls that are the client's to run. */
  calls: [string, unknown][];
  inputTokens: number;
  outputTokens: number;
  reason: string;
}

type Json = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

function expectedOf(name: string, chunks: Json[]): Expected {
  if (name.startsWith('anthropic')) return ofAnthropic(chunks);
  return chunks[0]!['sequence_number'] === undefined ? ofCompletions(chunks) : ofResponses(chunks);
}

function ofAnthropic(chunks: Json[]): Expected {
  const deltas = chunks.filter(({ type }) => type === 'content_block_delta');
  const joined = (kind: string, field: string): string =>
    deltas.map(({ delta }) => (delta.type === kind ? delta[field] : '')).join('');
  const uses = chunks.filter(({ content_block: block }) => block?.type === 'tool_use');
  const last = chunks.findLast(({ type }) => type === 'message_delta')!;
  const usage = Object.assign(
    {},
    ...chunks.map((chunk) => chunk['message']?.usage ?? {}),
    last['usage'],
  ) as Json;
  const reasons: Json = { end_turn: 'stop', tool_use: 'tool-calls', refusal: 'refusal' };
  return {
    text: joined('text_delta', 'text'),
    thinking: joined('thinking_delta', 'thinking'),
    calls: uses.map((use) => {
      // A recording may hold two messages, each of which counts its blocks from 0.
      const after = chunks.slice(chunks.indexOf(use) + 1);
      const ends = after.findIndex((chunk) => chunk['type'] === 'content_block_stop');
      const own = after.slice(0, ends).filter(({ type }) => type === 'content_block_delta');
      const json = own.map(({ delta }) => delta.partial_json as string).join('');
      return [use['content_block'].name, JSON.parse(json === '' ? '{}' : json)];
    }),
    inputTokens: ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']
      .map((name) => (usage[name] as number | undefined) ?? 0)
      .reduce((sum, count) => sum + count),
    outputTokens: usage['output_tokens'],
    reason: reasons[last['delta'].stop_reason],
  };
}

function ofCompletions(chunks: Json[]): Expected {
  const choices = chunks.flatMap((chunk) => (chunk['choices'] ?? []) as Json[]);
  const deltas = choices.map(({ delta }) => delta as Json);
  const pieces = deltas.flatMap((delta) => (delta['tool_calls'] ?? []) as Json[]);
  const indexes = [...new Set(pieces.map(({ index }) => index as number))];
  const usage = chunks.findLast((chunk) => chunk['usage'] ?? chunk['x_groq']?.usage)!;
  const counts = (usage['usage'] ?? usage['x_groq'].usage) as Json;
  const finish = choices.findLast(({ finish_reason: reason }) => reason)!['finish_reason'];
  return {
    text: deltas.map((delta) => plainText(delta['content'])).join(''),
    thinking: deltas
      .map((delta) => delta['reasoning_content'] ?? delta['reasoning'] ?? '')
      .join(''),
    calls: indexes.map((index) => {
      const own = pieces
        .filter((piece) => piece['index'] === index)
        .map((piece) => piece['function']);
      const json = own.map(({ arguments: given }) => given ?? '').join('');
      return [own.map(({ name }) => name ?? '').join(''), JSON.parse(json)];
    }),
    inputTokens: counts['prompt_tokens'],
    outputTokens: counts['completion_tokens'],
    reason: finish === 'tool_calls' ? 'tool-calls' : finish,
  };
}

const plainText = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((part: Json) => part['text'] as string).join('')
    : ((content as string | null | undefined) ?? '');

/** These say all of it once more at their end. */
function ofResponses(chunks: Json[]): Expected {
  const { response } = chunks.at(-1)!;
  const parts = (type: string, field: string): Json[] =>
    (response.output as Json[])
      .filter((item) => item['type'] === type)
      .flatMap((item) => item[field] as Json[]);
  return {
    text: parts('message', 'content')
      .map((part) => part['text'] as string)
      .join(''),
    thinking: parts('reasoning', 'summary')
      .map((part) => part['text'] as string)
      .join(''),
    calls: [],
    inputTokens: response.usage.input_tokens,
    outputTokens: response.usage.output_tokens,
    reason: 'stop',
  };
}

/** In which pieces the bytes go over the wire. */
const cuts: Record<string, (body: Buffer) => Buffer[]> = {
  'in one piece': (body) => [body],
  'in pieces that break characters and lines': (body) =>
    Array.from({ length: Math.ceil(body.length / 101) }, (_, i) =>
      body.subarray(i * 101, (i + 1) * 101),
    ),
};

let server: WebServer;
let wire: ModelWire;
let answer: (res: ServerResponse) => void = (res) => res.end();
beforeAll(async () => {
  server = await serveWeb((req, res) => {
    req.resume();
    req.on('end', () => answer(res));
  });
  wire = new ModelWire();
});
afterEach(() => {
  answer = (res) => res.end();
});
afterAll(async () => {
  await wire.close();
  await server.close();
});

const modes = (name: string): AiMode[] =>
  name.startsWith('anthropic')
    ? ['cloud_b']
    : name.startsWith('openai__')
      ? ['cloud_a', 'cloud_c']
      : ['cloud_c'];
const cases = names.flatMap((name) => modes(name).map((mode) => ({ name, mode })));

async function collect(mode: AiMode, request: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const config = {
    mode,
    apiKey: 'key',
    model: 'm',
    baseUrl: `${server.base}/v1`,
    contextWindowTokens: 0,
  };
  const messages: ModelRequest['messages'] = [
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
  ];
  const { signal } = new AbortController();
  const events: ModelEvent[] = [];
  for await (const event of backendOf(config, wire).stream({
    messages,
    tools: [],
    signal,
    ...request,
  }))
    events.push(event);
  return events;
}

describe.each(Object.entries(cuts))('a recorded answer that comes %s', (_, cut) => {
  it.each(cases)('is whole: $name through $mode', async ({ name, mode }) => {
    const lines = (await readFile(join(directory, name), 'utf8'))
      .split('\n')
      .filter((line) => line !== '');
    const chunks = lines.map((line) => JSON.parse(line) as Json);
    const isAnthropic = mode === 'cloud_b';
    const frames = lines.map((line, i) =>
      isAnthropic ? `event: ${chunks[i]!['type']}\ndata: ${line}\n\n` : `data: ${line}\n\n`,
    );
    const body = Buffer.from(frames.join('') + (isAnthropic ? '' : 'data: [DONE]\n\n'));
    answer = (res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      void sendPieces(res, cut(body));
    };
    const expected = expectedOf(name, chunks);
    const events = await collect(mode);
    const texts = (type: 'text' | 'thinking'): string =>
      events.map((event) => (event.type === type ? event.text : '')).join('');
    const calls = events.filter((event) => event.type === 'tool-call');
    const usage = events.findLast((event) => event.type === 'usage');
    expect(texts('text')).toBe(expected.text);
    expect(texts('thinking')).toBe(expected.thinking);
    expect(calls.map((call) => [call.name, JSON.parse(call.arguments) as unknown])).toEqual(
      expected.calls,
    );
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
    expect(usage).toEqual({
      type: 'usage',
      inputTokens: expected.inputTokens,
      outputTokens: expected.outputTokens,
    });
    expect(events.filter(({ type }) => type === 'end')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: expected.reason });
  });
});

async function sendPieces(res: ServerResponse, pieces: Buffer[]): Promise<void> {
  for (const piece of pieces)
    if (!res.write(piece)) await new Promise((resolve) => res.once('drain', resolve));
  res.end();
}

it('the recorded answers hold what makes them worth keeping', async () => {
  const texts = await Promise.all(
    names.map(async (name) => {
      const lines = (await readFile(join(directory, name), 'utf8'))
        .split('\n')
        .filter((line) => line !== '');
      return expectedOf(
        name,
        lines.map((line) => JSON.parse(line) as Json),
      );
    }),
  );
  expect(texts).toHaveLength(30);
  expect(texts.filter(({ thinking }) => thinking !== '').length).toBeGreaterThanOrEqual(8);
  expect(texts.filter(({ calls }) => calls.length > 0).length).toBeGreaterThanOrEqual(7);
});
