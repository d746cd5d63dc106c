import { IconAlertTriangle, IconFile, IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MessageAttachment } from '../../../service/contract/index.ts';
import { sizeText } from '../../core/messages/amounts.ts';
import { hostMessage } from '../../core/messages/host-message.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { usePart } from '../../core/store.ts';
import { AttachmentName } from './attachment-name.tsx';
import { AttachmentTextDialog } from './attachment-text-dialog.tsx';

interface AttachedFilesProps {
  attachments: readonly MessageAttachment[];
  conversation: Conversation;
}

/**
 * Shows the files of a message; images are displayed. A text file opens the text that the model
 * receives.
 */
export function AttachedFiles({ attachments, conversation }: AttachedFilesProps) {
  const { t } = useTranslation();
  const id = usePart(conversation.state, (state) => state.id);
  const [opened, setOpened] = useState<MessageAttachment | null>(null);
  const files = attachments.filter(({ kind }) => kind !== 'image');
  if (files.length === 0) return null;
  return (
    <>
      <ul className="attachments" aria-label={t('chat.attachments')}>
        {files.map((file, index) => (
          <li key={index} title={file.mimeType}>
            {file.refId === undefined ? (
              <FileFacts file={file} />
            ) : (
              <button
                type="button"
                className="attachment-open"
                title={t('chat.attachmentOpen')}
                onClick={() => setOpened(file)}
              >
                <FileFacts file={file} />
              </button>
            )}
          </li>
        ))}
      </ul>
      {id !== null && opened?.refId !== undefined && (
        <AttachmentTextDialog
          conversationId={id}
          refId={opened.refId}
          name={opened.name}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

function FileFacts({ file }: { file: MessageAttachment }) {
  const { language } = useTranslation();
  const { name, kind, sizeBytes, preview, problem, problemMessage } = file;
  const Icon = kind === 'other' ? IconFile : IconFileText;
  return (
    <>
      <Icon size={14} aria-hidden />
      <AttachmentName name={name} preview={preview} />
      <span className="quiet">{sizeText(sizeBytes, language)}</span>
      {problem !== undefined && (
        <span className="attachment-problem">
          <IconAlertTriangle size={14} aria-hidden />
          {hostMessage(problemMessage, problem)}
        </span>
      )}
    </>
  );
}
