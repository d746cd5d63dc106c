import type { ChatMessage, ContextSize, MessageVersion } from '../../../service/contract/index.ts';
import type { Attachment } from './attachments.ts';
import type { Turn } from './turn.ts';

/** A message, with its position among its versions once it is stored. */
export type PlacedMessage = ChatMessage & Partial<MessageVersion>;

/** The state of an open conversation. */
export interface ConversationState {
  kind: 'loading' | 'failed' | 'ready';
  /** Null while it has no messages, because nothing is stored yet. */
  id: string | null;
  title: string;
  parentId: string | null;
  /** The last revision that the service reported; it increases with every change. */
  revision: number;
  /** Position of the first loaded message; earlier ones can be loaded. */
  firstIndex: number;
  messages: readonly PlacedMessage[];
  /** Size of what the model receives with the next message, as last reported by the service. */
  context: ContextSize | null;
  /** The answer that is being written, or the outcome of the last one. */
  turn: Turn | null;
  error: unknown;
}

/** An unsent message, preserved while another area is open. */
export interface Draft {
  text: string;
  attachments: readonly Attachment[];
}
