import { ActionIcon } from '@mantine/core';
import { IconFile, IconFolder, IconPhoto, IconServer2, IconX } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { useStore } from '../../core/store.ts';
import { sizeText } from '../../core/messages/amounts.ts';

const icons = {
  image: IconPhoto,
  file: IconFile,
  directory: IconFolder,
  stored: IconFile,
  resource: IconServer2,
};

interface AttachmentListProps {
  conversation: Pick<Conversation, 'draft'>;
}

/** What goes along with the next message. */
export function AttachmentList({ conversation: { draft } }: AttachmentListProps) {
  const { t, language } = useTranslation();
  const { text, attachments } = useStore(draft);
  if (attachments.length === 0) return null;
  return (
    <ul className="attachments" aria-label={t('chat.attached')}>
      {attachments.map((attachment, index) => {
        const Icon = icons[attachment.kind];
        return (
          <li key={index}>
            <Icon size={14} aria-hidden />
            <span className="untrusted">{attachment.name}</span>
            {attachment.kind === 'resource' && (
              <span className="quiet untrusted">{attachment.server}</span>
            )}
            {'sizeBytes' in attachment && (
              <span className="quiet">{sizeText(attachment.sizeBytes, language)}</span>
            )}
            <ActionIcon
              size="xs"
              variant="subtle"
              color="gray"
              aria-label={t('chat.detach', { name: attachment.name })}
              onClick={() =>
                draft.set({ text, attachments: attachments.filter((one) => one !== attachment) })
              }
            >
              <IconX size={12} aria-hidden />
            </ActionIcon>
          </li>
        );
      })}
    </ul>
  );
}
