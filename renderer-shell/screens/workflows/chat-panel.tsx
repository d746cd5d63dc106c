import { IconMessageCircle, IconPlus } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { IconAction } from '../../ui/frame/icon-action.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import { useShell } from '../../state/shell.ts';
import { usePart, useStore } from '../../core/store.ts';
import { ConversationBody } from '../../ui/conversation/conversation-body.tsx';
import { OpenConversationContext } from '../../ui/conversation/open-conversation.ts';
import { useWorkflow } from './workflow-context.ts';

const pollMs = 1_500;

/** Shows a conversation about the open workflow, which the model can read and run. */
export function ChatPanel() {
  const { t } = useTranslation();
  const { workflows, editor, state } = useWorkflow();
  const conversation = useStore(workflows.chats.of(editor));
  const id = usePart(conversation.state, (state) => state.id);
  useRunsOf(conversation);
  return (
    <OpenConversationContext value={(next) => workflows.chats.open(editor, next)}>
      <section className="chat flow-chat" aria-label={t('flows.chat.title')}>
        <ChatHead id={id} />
        {state.workflow.edit && <Alert tone="warn">{t('flows.chat.published')}</Alert>}
        <ConversationBody
          key={id ?? ''}
          conversation={conversation}
          emptyState={{ title: t('flows.chat.begin'), text: t('flows.chat.beginText') }}
        />
      </section>
    </OpenConversationContext>
  );
}

function ChatHead({ id }: { id: string | null }) {
  const { t } = useTranslation();
  const { workflows, editor } = useWorkflow();
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
        onClick={() => workflows.chats.open(editor, null)}
      />
    </div>
  );
}

/** Shows the runs that the conversation starts on the canvas. */
function useRunsOf(conversation: Conversation): void {
  const { workflows, state } = useWorkflow();
  const { id } = state.workflow;
  const isCalling = usePart(conversation.state, ({ turn }) =>
    (turn?.parts ?? []).some(
      (part) =>
        part.type === 'tool' && part.name === 'run_current_flow' && part.output === undefined,
    ),
  );
  useEffect(() => {
    if (!isCalling) return;
    const poll = () => {
      if (document.visibilityState === 'visible') void workflows.refreshRun(id);
    };
    const timer = setInterval(poll, pollMs);
    return () => {
      clearInterval(timer);
      poll();
    };
  }, [workflows, id, isCalling]);
}
