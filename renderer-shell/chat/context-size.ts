import type { ChatMessage } from '../../service/contract/index.ts';
import type { ConversationState } from './conversation.ts';

const bytesPerToken = 4;
const perMessage = 8;
const perImage = 1_000;
const encoder = new TextEncoder();
const known = new WeakMap<ChatMessage, number>();

const tokensOf = (text: string): number => encoder.encode(text).length / bytesPerToken;

function tokensOfMessage(message: ChatMessage): number {
  const before = known.get(message);
  if (before !== undefined) return before;
  const { content, parts = [] } = message;
  let tokens = perMessage;
  if (typeof content === 'string') tokens += tokensOf(content);
  else
    for (const part of content)
      tokens += part.type === 'image' ? perImage : tokensOf(JSON.stringify(part));
  for (const part of parts)
    if (part.type === 'tool') tokens += tokensOf(part.arguments + (part.output ?? ''));
  known.set(message, tokens);
  return tokens;
}

/**
 * About how many tokens the conversation has, by the measure of the host. What is not loaded counts as
 * much as what is.
 */
export function contextTokens({
  messages,
  firstIndex,
}: Pick<ConversationState, 'messages' | 'firstIndex'>): number {
  if (messages.length === 0) return 0;
  const loaded = messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
  return Math.round(loaded * ((firstIndex + messages.length) / messages.length));
}
