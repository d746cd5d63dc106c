import { createContext, useContext } from 'react';
import type { Conversation } from '../../state/chat/conversation.ts';
import { useShell } from '../../state/shell.ts';

/** Shows another conversation in the same location; null starts a new one. */
export type OpenConversation = (id: string | null) => Conversation;

/** Null in the chat area. */
export const OpenConversationContext = createContext<OpenConversation | null>(null);

export function useOpenConversation(): OpenConversation {
  const { chats, route } = useShell();
  const open = useContext(OpenConversationContext);
  if (open) return open;
  return (id) => {
    route.go({ area: 'chat', id });
    return chats.of(id);
  };
}
