import type { MessageVersion } from '../../../service/contract/index.ts';
import type { PlacedMessage } from './conversation-state.ts';

/** The messages, with where the last one of a person is stored; the others stay what they are. */
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
