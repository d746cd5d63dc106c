import { HostError } from '../../../core/host-error.ts';
import type { ConversationRow } from './conversation-row.ts';
import { msg } from '../../../messages/index.ts';

export function unknownMessage({ messageCount }: ConversationRow): HostError {
  return new HostError(
    'missing',
    'unknown_message',
    msg('chat.indexUnknown', { count: messageCount }),
  );
}

export const noSuchVersion = (): HostError =>
  new HostError('missing', 'unknown_message', msg('chat.messageUnknown'));

export function stale(): HostError {
  return new HostError('conflict', 'stale_revision', msg('chat.conversationChanged'));
}

export function turnRunning(): HostError {
  return new HostError('conflict', 'turn_running', msg('chat.answerRunning'));
}
