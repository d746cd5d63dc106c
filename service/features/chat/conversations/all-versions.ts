import type { ChatMessage } from '../../../contract/index.ts';
import type { ConversationService } from './conversation-service.ts';

/** A message of a conversation, with the id of the message before it. */
type AnyVersion = Omit<ChatMessage, 'id'> & {
  id: string;
  parentId: string | null;
  visible: boolean;
};

/**
 * All messages of a conversation, the visible ones first.
 * @throws HostError 404 `unknown_conversation`
 */
export async function allVersions(service: ConversationService, id: string): Promise<AnyVersion[]> {
  const { messages } = await service.show(id);
  const hidden = await service.hidden(id);
  return [
    ...messages.map(({ siblings: _, ...message }) => ({ ...message, visible: true })),
    ...hidden.map((message) => ({ ...message, visible: false })),
  ];
}
