import { ActionIcon } from '@mantine/core';
import { IconFile, IconFolder, IconPhoto, IconServer2, IconX } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { useStore } from '../../core/store.ts';
import { sizeText } from '../../core/messages/amounts.ts';
import { previewOf } from '../../state/chat/attachments.ts';
import { AttachmentName } from './attachment-name.tsx';

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

/** Lists the attachments of the next message. */
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
            {attachment.kind === 'image' ? (
              <img
                className="thumbnail"
                src={`data:${attachment.mimeType};base64,${attachment.data}`}
                alt=""
              />
            ) : (
              <Icon size={14} aria-hidden />
            )}
            <AttachmentName name={attachment.name} preview={previewOf(attachment)} />
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
