import { createContext, useContext } from 'react';
import type { Conversation } from '../../state/chat/conversation.ts';
import { useShell } from '../../state/shell.ts';

/** Shows another conversation where one is shown; null: one that begins. */
export type OpenConversation = (id: string | null) => Conversation;

/** Null: in the area of the chat. */
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
