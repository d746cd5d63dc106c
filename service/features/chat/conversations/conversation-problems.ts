import { HostError } from '../../../core/host-error.ts';
import type { ConversationRow } from './conversation-row.ts';

export function unknownMessage({ messageCount }: ConversationRow): HostError {
  const message = `The conversation has ${messageCount} messages, numbered from 0.`;
  return new HostError('missing', 'unknown_message', message);
}

export const noSuchVersion = (): HostError =>
  new HostError('missing', 'unknown_message', 'The conversation has no message of that id.');

export function stale(): HostError {
  const message = 'The conversation was changed meanwhile. Read it again before you change it.';
  return new HostError('conflict', 'stale_revision', message);
}

export function turnRunning(): HostError {
  const message = 'An answer is being written in this conversation. Wait for it, or cancel it.';
  return new HostError('conflict', 'turn_running', message);
}
