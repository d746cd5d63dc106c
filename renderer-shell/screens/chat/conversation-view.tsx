import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import type { PreviewedCode } from '../../state/chat/previews.ts';
import { ConversationBody } from '../../ui/conversation/conversation-body.tsx';
import { PreviewPane } from '../../ui/conversation/preview-pane.tsx';
import { PreviewContext } from '../../ui/markdown/preview-context.ts';
import { ConversationToolbar } from './conversation-toolbar.tsx';

interface ConversationViewProps {
  conversation: Conversation;
  narrow: boolean;
}

/** Shows a conversation, and beside it the opened preview of an answer. */
export function ConversationView({ conversation, narrow }: ConversationViewProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState<PreviewedCode | null>(null);
  const emptyState = { title: t('chat.begin'), text: t('chat.beginText') };
  return (
    <PreviewContext value={setCode}>
      <div className="chat-beside">
        <main className="content chat" aria-label={t('chat.conversation')}>
          <ConversationToolbar conversation={conversation} narrow={narrow} />
          <ConversationBody conversation={conversation} emptyState={emptyState} />
        </main>
        {code && (
          <PreviewPane
            conversation={conversation}
            code={code}
            onShow={setCode}
            onClose={() => setCode(null)}
          />
        )}
      </div>
    </PreviewContext>
  );
}
