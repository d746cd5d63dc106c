import { IconPin } from '@tabler/icons-react';
import { RowButton } from '../../ui/frame/row-button.tsx';
import { Age } from '../../ui/frame/age.tsx';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { ConversationSummary } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';

interface ConversationRowProps {
  summary: ConversationSummary;
  nowMs: number;
  chosen: boolean;
}

export function ConversationRow({ summary, nowMs, chosen }: ConversationRowProps) {
  const { t } = useTranslation();
  const { chats, route, view } = useShell();
  const { id, title, updatedAt, activeStreamId, pinned } = summary;
  const busy =
    useStore(chats.busy).get(id) ?? (activeStreamId === undefined ? undefined : 'running');
  const open = () => {
    route.go({ area: 'chat', id });
    view.patch({ listOpen: false });
  };
  return (
    <RowButton chosen={chosen} onClick={open}>
      <span className="row-text">
        <span className="row-name untrusted">
          {pinned && <IconPin size={12} role="img" aria-label={t('chat.pinned')} />} {title}
        </span>
        <span className="row-more" data-tone={busy && { running: 'accent', waiting: 'warn' }[busy]}>
          {busy ? t(`chat.busy.${busy}`) : <Age at={updatedAt} nowMs={nowMs} />}
        </span>
      </span>
    </RowButton>
  );
}
