import { IconMessageCircle, IconPlus } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../state/chat/conversation.ts';
import { IconAction } from '../../ui/frame/icon-action.tsx';
import { Note } from '../../ui/frame/note.tsx';
import { useShell } from '../../state/shell.ts';
import { usePart, useStore } from '../../core/store.ts';
import { ConversationBody } from '../../ui/conversation/conversation-body.tsx';
import { ConversationPlace } from '../../ui/conversation/conversation-place.ts';
import { useFlow } from './flow-context.ts';

const lookAgainMs = 1_500;

/** A conversation about the workflow that is open: a model knows it, and can run it. */
export function ChatPanel() {
  const { t } = useTranslation();
  const { book, editor, state } = useFlow();
  const conversation = useStore(book.chats.of(editor));
  const id = usePart(conversation.state, (state) => state.id);
  useRunsOf(conversation);
  return (
    <ConversationPlace value={(next) => book.chats.open(editor, next)}>
      <section className="chat flow-chat" aria-label={t('flows.chat.title')}>
        <ChatHead id={id} />
        {state.workflow.edit && <Note tone="warn">{t('flows.chat.published')}</Note>}
        <ConversationBody
          key={id ?? ''}
          conversation={conversation}
          begin={{ title: t('flows.chat.begin'), text: t('flows.chat.beginText') }}
        />
      </section>
    </ConversationPlace>
  );
}

function ChatHead({ id }: { id: string | null }) {
  const { t } = useTranslation();
  const { book, editor } = useFlow();
  const { chats, route } = useShell();
  const { items } = useStore(chats.list.state);
  const title = items.find((one) => one.id === id)?.title ?? '';
  if (id === null) return null;
  return (
    <div className="flow-chat-head">
      <span className="row-name untrusted">{title}</span>
      <IconAction
        icon={IconMessageCircle}
        label={t('flows.chat.open')}
        onClick={() => route.go({ area: 'chat', id })}
      />
      <IconAction
        icon={IconPlus}
        label={t('flows.chat.new')}
        onClick={() => book.chats.open(editor, null)}
      />
    </div>
  );
}

/** What the conversation runs is shown on the canvas. */
function useRunsOf(conversation: Conversation): void {
  const { book, state } = useFlow();
  const { id } = state.workflow;
  const isCalling = usePart(conversation.state, ({ turn }) =>
    (turn?.parts ?? []).some(
      (part) =>
        part.type === 'tool' && part.name === 'run_current_flow' && part.output === undefined,
    ),
  );
  useEffect(() => {
    if (!isCalling) return;
    const look = () => {
      if (document.visibilityState === 'visible') void book.lookForRun(id);
    };
    const timer = setInterval(look, lookAgainMs);
    return () => {
      clearInterval(timer);
      look();
    };
  }, [book, id, isCalling]);
}
