import type { AnswerPart, ChatContent, ChatMessage } from '../../../contract/index.ts';
import type {
  ModelMessage,
  ModelPart,
  ModelToolCall,
  ModelToolResult,
} from '../../models/index.ts';
import { attachmentParts } from '../attachments/attachment-parts.ts';
import { resourceParts } from '../resources/resource-parts.ts';
import { shorten, shortenArguments } from './shorten.ts';

/**
 * Converts a conversation to model messages, and collects its system messages. `excerpts` are by
 * attachment id.
 */
export function modelMessages(
  messages: readonly ChatMessage[],
  excerpts: ReadonlyMap<string, string>,
): {
  system: string[];
  messages: ModelMessage[];
} {
  const system: string[] = [];
  const seen: ModelMessage[] = [];
  for (const message of messages) {
    if (message.role === 'system') system.push(plain(message.content));
    else if (message.role === 'user')
      seen.push({ role: 'user', content: wordOf(message, excerpts) });
    else seen.push(...answerOf(message));
  }
  return { system, messages: seen };
}

function wordOf(
  { content, attachments = [] }: ChatMessage,
  excerpts: ReadonlyMap<string, string>,
): ModelPart[] {
  const textParts = partsOf(content);
  const files = attachments.flatMap((one) => attachmentParts(one, excerpts.get(one.refId ?? '')));
  // Some servers refuse an empty text next to other parts.
  return files.length === 0 ? textParts : [...textParts.filter(isNotEmpty), ...files];
}

const isNotEmpty = (part: ModelPart): boolean => part.type !== 'text' || part.text !== '';

function plain(content: ChatContent): string {
  return partsOf(content)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');
}

const partsOf = (content: ChatContent): ModelPart[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : content.flatMap((part) => (part.type === 'resource' ? resourceParts(part) : [part]));

/** An answer with tool calls becomes several messages: texts and calls, then the results. */
function answerOf({ content, parts = [] }: ChatMessage): ModelMessage[] {
  if (!parts.some(({ type }) => type === 'tool')) {
    const textParts = partsOf(content).filter(isNotEmpty);
    return textParts.length === 0 ? [] : [{ role: 'assistant', content: textParts }];
  }
  const messages: ModelMessage[] = [];
  let pendingParts: ModelPart[] = [];
  let calls: ModelToolCall[] = [];
  let results: ModelToolResult[] = [];
  const close = (): void => {
    if (pendingParts.length === 0 && calls.length === 0) return;
    messages.push({
      role: 'assistant',
      content: pendingParts,
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
    });
    if (results.length > 0) messages.push({ role: 'tool', results });
    [pendingParts, calls, results] = [[], [], []];
  };
  for (const part of parts) {
    if (part.type === 'thinking') continue;
    if (part.type === 'text') {
      if (calls.length > 0) close();
      if (part.text !== '') pendingParts.push({ type: 'text', text: part.text });
      continue;
    }
    calls.push({ id: part.id, name: part.name, arguments: shortenArguments(part.arguments) });
    results.push(resultOf(part));
  }
  close();
  return messages;
}

const resultOf = (part: Extract<AnswerPart, { type: 'tool' }>): ModelToolResult => ({
  callId: part.id,
  output: shorten(part.output ?? 'The call did not end.'),
  isError: part.success !== true,
});
