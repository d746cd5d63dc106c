import type { TokenUsage } from '../../../contract/index.ts';
import type { EndReason } from '../model-backend.ts';
import { refusalOf } from '../wire/model-error.ts';
import type { ToolCalls } from '../wire/tool-calls.ts';

/** Token counts of both APIs of OpenAI. */
export interface Usage {
  prompt_tokens?: number;
  completion_tokens?: number;
  input_tokens?: number;
  output_tokens?: number;
  prompt_tokens_details?: CacheDetails | null;
  input_tokens_details?: CacheDetails | null;
  /** Sent by servers that report it beside the counts. */
  prompt_cache_hit_tokens?: number;
  completion_tokens_details?: ReasoningDetails | null;
  output_tokens_details?: ReasoningDetails | null;
}

interface CacheDetails {
  cached_tokens?: number | null;
}

interface ReasoningDetails {
  reasoning_tokens?: number | null;
}

/** The counts of either API under the host's names. */
export function countsOf(usage: Usage): TokenUsage {
  const input = usage.prompt_tokens_details ?? usage.input_tokens_details;
  const output = usage.completion_tokens_details ?? usage.output_tokens_details;
  return {
    inputTokens: usage.prompt_tokens ?? usage.input_tokens,
    outputTokens: usage.completion_tokens ?? usage.output_tokens,
    ...counted('cachedTokens', input?.cached_tokens ?? usage.prompt_cache_hit_tokens),
    ...counted('reasoningTokens', output?.reasoning_tokens),
  };
}

const counted = (name: keyof TokenUsage, count: unknown): TokenUsage =>
  typeof count === 'number' && Number.isInteger(count) && count >= 0 ? { [name]: count } : {};

/** The parts of an answer in one event of the Responses API. */
export interface ResponsesUpdate {
  text?: string;
  thinking?: string;
  reason?: EndReason;
  usage?: Usage;
}

interface Completed {
  usage?: Usage | null;
  error?: unknown;
  incomplete_details?: { reason?: string } | null;
}

/**
 * Reads an event of the Responses API, which some compatible servers send whatever was requested.
 * Tools that the server runs itself, such as its own searches, are ignored.
 */
export function responsesChunk(chunk: Record<string, unknown>, calls: ToolCalls): ResponsesUpdate {
  const delta = typeof chunk['delta'] === 'string' ? chunk['delta'] : '';
  switch (chunk['type']) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return { text: delta };
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      return { thinking: delta };
    case 'response.output_item.done':
      addCall((chunk['item'] ?? {}) as Record<string, unknown>, calls);
      return {};
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      return ended(chunk['response'] ?? {});
    default:
      return {};
  }
}

function ended({ error, incomplete_details: cut, usage }: Completed): ResponsesUpdate {
  if (error) throw refusalOf(error);
  const isRefusal = cut?.reason === 'content_filter';
  const reason = isRefusal ? 'refusal' : cut ? 'length' : 'stop';
  return { reason, usage: usage ?? undefined };
}

function addCall(item: Record<string, unknown>, calls: ToolCalls): void {
  const { type, call_id: id, name, arguments: args } = item;
  if (type !== 'function_call' || typeof name !== 'string') return;
  calls.add({ id: typeof id === 'string' ? id : undefined, name, arguments: args });
}
