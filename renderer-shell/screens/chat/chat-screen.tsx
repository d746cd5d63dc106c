import '../../core/messages/chat-translations.ts';
import { ListCover } from '../../ui/frame/list-pane.tsx';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { ConversationSidebar } from './conversation-sidebar.tsx';
import { ConversationView } from './conversation-view.tsx';

/** Props of the chat area. */
export interface ChatScreenProps {
  conversationId: string | null;
  /** True if the window is too narrow to show the list beside the content. */
  narrow: boolean;
}

/** Shows the list of conversations and the open one. */
export function ChatScreen({ conversationId, narrow }: ChatScreenProps) {
  const { chats, view } = useShell();
  const { listOpen } = useStore(view);
  const covered = narrow && listOpen;
  return (
    <div className="screen" data-narrow={narrow}>
      <ConversationSidebar chosenId={conversationId} hidden={narrow && !covered} />
      {covered && <ListCover />}
      <ConversationView
        key={conversationId ?? ''}
        conversation={chats.of(conversationId)}
        narrow={narrow}
      />
    </div>
  );
}
