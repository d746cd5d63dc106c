import type {
  ImagePart,
  ModelMessage,
  ModelPart,
  ModelToolCall,
  ModelToolResult,
} from '../model-backend.ts';

type Assistant = Extract<ModelMessage, { role: 'assistant' }>;

const noResult = 'There is no result: the call was not run.';
const noImage = '(There was an image here. This model takes text only.)';

/**
 * Converts messages to a form that every server accepts: no empty ones, exactly one result after
 * each tool call, and images only if they are supported.
 */
export function preparedMessages(
  messages: readonly ModelMessage[],
  { images }: { images: boolean },
): ModelMessage[] {
  const prepared: ModelMessage[] = [];
  for (let i = 0; i < messages.length; i += 1) {
    const message = messages[i];
    if (!message || message.role === 'tool') continue;
    if (message.role === 'user') {
      const content = supportedParts(message.content, images);
      if (content.length > 0) prepared.push({ role: 'user', content });
      continue;
    }
    const answer = preparedAnswer(message, images);
    if (!answer) continue;
    prepared.push(answer);
    const calls = answer.toolCalls ?? [];
    if (calls.length === 0) continue;
    const results: ModelToolResult[] = [];
    for (let next = messages[i + 1]; next?.role === 'tool'; next = messages[(i += 1) + 1])
      results.push(...next.results);
    prepared.push({ role: 'tool', results: resultsOf(calls, results, images) });
  }
  return prepared;
}

function preparedAnswer(message: Assistant, images: boolean): Assistant | null {
  const content = supportedParts(message.content, images);
  const isEmpty = content.length === 0 && (message.toolCalls ?? []).length === 0;
  return isEmpty ? null : { ...message, content };
}

function resultsOf(
  calls: readonly ModelToolCall[],
  results: readonly ModelToolResult[],
  images: boolean,
): ModelToolResult[] {
  return calls.map(({ id }) => {
    const result = results.find(({ callId }) => callId === id);
    if (!result) return { callId: id, output: noResult, isError: true };
    if (images || (result.images ?? []).length === 0) return result;
    return { ...result, output: `${result.output}\n${noImage}`, images: [] };
  });
}

function supportedParts(parts: readonly ModelPart[], images: boolean): ModelPart[] {
  const supported = images
    ? parts
    : parts.map((part) => (part.type === 'text' ? part : { type: 'text' as const, text: noImage }));
  return supported.filter((part) => part.type !== 'text' || part.text.trim() !== '');
}

/** The joined text of all parts. */
export const textOf = (parts: readonly ModelPart[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

export const imagesOf = (parts: readonly ModelPart[]): ImagePart[] =>
  parts.filter((part) => part.type === 'image');

/** The arguments of a call as an object, which some servers require; empty if they are invalid. */
export function argumentsObject(call: ModelToolCall): Record<string, unknown> {
  try {
    const value = JSON.parse(call.arguments) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // The result of the call has told the model already.
  }
  return {};
}
