import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AiMode } from '../../../contract/index.ts';
import type { EndReason } from '../../../features/models/model-backend.ts';
import type { Expected, WrittenStream } from './written-stream.ts';

/** Streams recorded from real servers, one JSON object per line, named `<server>__<case>`. */
export function recordedStreams(folder: string): WrittenStream[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .map((name) => {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n');
      const chunks = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as object);
      return { name, modes: modesOf(name), chunks, expected: meant(name, chunks) };
    });
}

function modesOf(name: string): AiMode[] {
  if (name.startsWith('anthropic')) return ['cloud_b'];
  return name.startsWith('openai__') ? ['cloud_a', 'cloud_c'] : ['cloud_c'];
}

/** Returns the content of a recorded stream, parsed independently of the product. */
function meant(name: string, chunks: object[]): Expected {
  if (name.startsWith('anthropic')) return ofMessages(chunks as MessageChunk[]);
  const isResponses = chunks.some((chunk) => 'sequence_number' in chunk);
  return isResponses ? ofResponses(chunks) : ofCompletions(chunks);
}

type Counts = Record<string, number | undefined>;
type Texts = Record<string, string | undefined>;

interface MessageChunk {
  type: string;
  message?: { usage?: Counts };
  content_block?: Texts;
  delta?: Texts;
  usage?: Counts;
}

const messageReasons: Record<string, EndReason> = {
  end_turn: 'stop',
  tool_use: 'tool-calls',
  refusal: 'refusal',
};

function ofMessages(chunks: MessageChunk[]): Expected {
  const deltas = chunks.flatMap(({ type, delta }) =>
    type === 'content_block_delta' && delta ? [delta] : [],
  );
  const joined = (kind: string, field: string): string =>
    deltas.map((delta) => (delta['type'] === kind ? (delta[field] ?? '') : '')).join('');
  const uses = chunks.filter(({ content_block: block }) => block?.['type'] === 'tool_use');
  const last = chunks.findLast(({ type }) => type === 'message_delta');
  const counts: Counts = Object.assign(
    {},
    ...chunks.map(({ message }) => message?.usage ?? {}),
    last?.usage,
  );
  const input = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];
  return {
    text: joined('text_delta', 'text'),
    thinking: joined('thinking_delta', 'thinking'),
    calls: uses.map((use) => {
      // A recording may contain two messages, each counting its blocks from 0.
      const after = chunks.slice(chunks.indexOf(use) + 1);
      const own = after.slice(
        0,
        after.findIndex(({ type }) => type === 'content_block_stop'),
      );
      const json = own.map(({ delta }) => delta?.['partial_json'] ?? '').join('');
      return [use.content_block?.['name'] ?? '', JSON.parse(json === '' ? '{}' : json)];
    }),
    usage: {
      inputTokens: input.reduce((sum, name) => sum + (counts[name] ?? 0), 0),
      outputTokens: counts['output_tokens'] ?? 0,
    },
    reason: messageReasons[last?.delta?.['stop_reason'] ?? ''] ?? 'other',
  };
}

interface CompletionChunk {
  choices?: { delta: CompletionDelta; finish_reason?: string | null }[];
  usage?: Counts | null;
  x_groq?: { usage?: Counts };
}

interface CompletionDelta {
  content?: string | Texts[] | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  tool_calls?: { index: number; function: Texts }[] | null;
}

function ofCompletions(chunks: CompletionChunk[]): Expected {
  const choices = chunks.flatMap((chunk) => chunk.choices ?? []);
  const deltas = choices.map(({ delta }) => delta);
  const pieces = deltas.flatMap((delta) => delta.tool_calls ?? []);
  const indexes = [...new Set(pieces.map(({ index }) => index))];
  const counted = chunks.findLast((chunk) => chunk.usage ?? chunk.x_groq?.usage);
  const counts = counted?.usage ?? counted?.x_groq?.usage ?? {};
  const finish = choices.findLast(({ finish_reason: reason }) => reason)?.finish_reason;
  return {
    text: deltas.map(({ content }) => plainText(content)).join(''),
    thinking: deltas.map((delta) => delta.reasoning_content ?? delta.reasoning ?? '').join(''),
    calls: indexes.map((index) => {
      const own = pieces.filter((piece) => piece.index === index).map((piece) => piece.function);
      const joined = (field: string): string => own.map((piece) => piece[field] ?? '').join('');
      return [joined('name'), JSON.parse(joined('arguments'))];
    }),
    usage: {
      inputTokens: counts['prompt_tokens'] ?? 0,
      outputTokens: counts['completion_tokens'] ?? 0,
    },
    reason: finish === 'tool_calls' ? 'tool-calls' : finish === 'stop' ? 'stop' : 'other',
  };
}

const plainText = (content: string | Texts[] | null | undefined): string =>
  Array.isArray(content) ? content.map((part) => part['text'] ?? '').join('') : (content ?? '');

interface Response {
  output: { type: string; content?: Texts[]; summary?: Texts[] }[];
  usage: Counts;
}

/** These repeat the whole content at the end. */
function ofResponses(chunks: object[]): Expected {
  const { output, usage } = (chunks.at(-1) as { response: Response }).response;
  const joined = (type: string, field: 'content' | 'summary'): string =>
    output
      .filter((item) => item.type === type)
      .flatMap((item) => item[field] ?? [])
      .map((part) => part['text'] ?? '')
      .join('');
  return {
    text: joined('message', 'content'),
    thinking: joined('reasoning', 'summary'),
    calls: [],
    usage: {
      inputTokens: usage['input_tokens'] ?? 0,
      outputTokens: usage['output_tokens'] ?? 0,
    },
    reason: 'stop',
  };
}
