import type { ActiveFileRef, ChatMessage } from '../../contract/index.ts';
import type { CallGate } from '../call-gate/index.ts';
import type { AttachmentText } from './attachments/attachment-store.ts';

/** The parts of a turn that depend on its request. */
export interface TurnContext {
  gate: CallGate;
  /** System prompt. */
  system: string;
  messages: readonly ChatMessage[];
  /**
   * The user's message with its attachments, as it is stored; undefined if the last message is not
   * from the user.
   */
  userMessage: ChatMessage | undefined;
  /** New attachment texts, which are stored with the message. */
  texts: readonly AttachmentText[];
  /** Excerpts of attached files by attachment id. */
  excerpts: ReadonlyMap<string, string>;
  activeFileRefs: ActiveFileRef[];
  /** Must be called once, when the turn has ended. */
  ended(outcome: { state: 'done' | 'error' | 'cancelled'; message?: string }): Promise<void>;
}
