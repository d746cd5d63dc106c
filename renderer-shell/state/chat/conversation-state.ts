import type { ChatMessage, ContextSize, MessageVersion } from '../../../service/contract/index.ts';
import type { Attachment } from './attachments.ts';
import type { Turn } from './turn.ts';

/** A message, with its place among its versions once it is stored. */
export type PlacedMessage = ChatMessage & Partial<MessageVersion>;

/** An open conversation with the messages that were loaded. */
export interface ConversationState {
  kind: 'loading' | 'failed' | 'ready';
  /** Null: nothing was said yet, so nothing is stored. */
  id: string | null;
  title: string;
  parentId: string | null;
  /** As the service told it last; it goes up with every change. */
  revision: number;
  /** Position of the first message that is here; those before it can be loaded. */
  firstIndex: number;
  messages: readonly PlacedMessage[];
  /** What the model is given with the next message, as the service told it last. */
  context: ContextSize | null;
  /** The answer that is being written, or how the last one ended. */
  turn: Turn | null;
  error: unknown;
}

/** What a person writes, kept while they look elsewhere. */
export interface Draft {
  text: string;
  attachments: readonly Attachment[];
}
