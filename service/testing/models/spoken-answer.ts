import type { ServerResponse } from 'node:http';
import type { AiMode } from '../../contract/index.ts';
import { chunk, dialects, done, ndjson, sseData, sseEvent } from './raw-model.ts';

/** An answer of one text with its token counts. */
export interface SpokenAnswer {
  text: string;
  input?: number;
  output?: number;
  /** Cached input tokens. */
  cached?: number;
  /** Reasoning output tokens. */
  reasoning?: number;
}

/** Writes a text with its usage in the wire format of a mode. */
export function speak(res: ServerResponse, mode: AiMode, answer: SpokenAnswer): void {
  const { contentType } = dialects[mode];
  res.writeHead(200, { 'Content-Type': contentType }).end(bodies[mode](answer));
}

function completions({ text, input = 10, output = 5, cached, reasoning }: SpokenAnswer): string {
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
  return chunk({ content: text }) + chunk({}, 'stop') + sseData({ choices: [], usage }) + done;
}

function messages({ text, input = 10, output = 5, cached, reasoning }: SpokenAnswer): string {
  const { text: delta } = dialects.cloud_b;
  const usage = {
    input_tokens: input - (cached ?? 0),
    output_tokens: 1,
    ...(cached === undefined ? {} : { cache_read_input_tokens: cached }),
  };
  const details =
    reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoning } };
  return [
    sseEvent({ type: 'message_start', message: { usage } }),
    sseEvent({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: '' },
    }),
    delta(text),
    sseEvent({ type: 'content_block_stop', index: 0 }),
    sseEvent({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: output, ...details },
    }),
    sseEvent({ type: 'message_stop' }),
  ].join('');
}

function ollama({ text, input = 10, output = 5 }: SpokenAnswer): string {
  const message = { role: 'assistant', content: text };
  const counts = { prompt_eval_count: input, eval_count: output };
  return (
    ndjson({ message, done: false }) +
    ndjson({ message: { ...message, content: '' }, done: true, done_reason: 'stop', ...counts })
  );
}

const bodies: Record<AiMode, (answer: SpokenAnswer) => string> = {
  local: ollama,
  cloud_a: completions,
  cloud_b: messages,
  cloud_c: completions,
};
