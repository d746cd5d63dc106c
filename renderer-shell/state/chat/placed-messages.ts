import type { MessageVersion } from '../../../service/contract/index.ts';
import type { PlacedMessage } from './conversation-state.ts';

/**
 * Returns the messages, with the stored position of the last user message; the others stay
 * unchanged.
 */
export function placed(
  messages: readonly PlacedMessage[],
  version: MessageVersion | null,
): readonly PlacedMessage[] {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const message = messages[last];
  if (version === null || message === undefined) return messages;
  const isCurrent =
    message.id === version.id && message.siblings?.join() === version.siblings.join();
  return isCurrent ? messages : messages.with(last, { ...message, ...version });
}

export const upToLastUserMessage = (messages: readonly PlacedMessage[]): PlacedMessage[] =>
  messages.slice(0, messages.findLastIndex(({ role }) => role === 'user') + 1);
