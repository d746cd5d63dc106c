import { useTranslation } from '../../core/messages/use-translation.ts';
import type { ApprovalRequest } from '../../../service/contract/index.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import type { DisplayedPart, Turn } from '../../state/chat/turn.ts';
import { ApprovalCard } from '../cards/approval-card.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { ToolCard } from '../cards/tool-card.tsx';

interface AnswerPartsProps {
  parts: readonly DisplayedPart[];
  /** The turn in progress, with its conversation. */
  turn?: Turn;
  conversation?: Conversation;
}

/** Shows the parts of an answer in their order. */
export function AnswerParts({ parts, turn, conversation }: AnswerPartsProps) {
  return parts.map((part, index) => {
    const isOpen = turn !== undefined && index === parts.length - 1;
    if (part.type === 'text') return <Markdown key={index} text={part.text} growing={isOpen} />;
    if (part.type === 'thinking') return <Thinking key={index} text={part.text} growing={isOpen} />;
    const pending = turn?.pending?.callId === part.id ? turn.pending : null;
    if (pending && conversation)
      return <CallApproval key={part.id} request={pending} conversation={conversation} />;
    return <ToolCard key={part.id} part={part} isLive={turn !== undefined} />;
  });
}

interface CallApprovalProps {
  request: ApprovalRequest;
  conversation: Conversation;
}

function CallApproval({ request, conversation }: CallApprovalProps) {
  const { t } = useTranslation();
  const { callId } = request;
  return (
    <ApprovalCard
      id={callId}
      request={request}
      terms={{ session: t('approval.session'), comment: t('approval.comment') }}
      onAnswer={(decision) => conversation.decide({ callId, ...decision })}
    />
  );
}

function Thinking({ text, growing }: { text: string; growing: boolean }) {
  const { t } = useTranslation();
  return (
    <details className="thinking">
      <summary>{t(growing ? 'chat.thinking' : 'chat.thought')}</summary>
      <p className="untrusted">{text}</p>
    </details>
  );
}
