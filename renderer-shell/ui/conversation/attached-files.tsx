import { IconFile, IconFileText } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MessageAttachment } from '../../../service/contract/index.ts';
import { sizeText } from '../../core/messages/amounts.ts';

/** The files of a message; its images are shown as such. */
export function AttachedFiles({ attachments }: { attachments: readonly MessageAttachment[] }) {
  const { t, language } = useTranslation();
  const files = attachments.filter(({ kind }) => kind !== 'image');
  if (files.length === 0) return null;
  return (
    <ul className="attachments" aria-label={t('chat.attachments')}>
      {files.map(({ name, kind, sizeBytes, mimeType }, index) => {
        const Icon = kind === 'other' ? IconFile : IconFileText;
        return (
          <li key={index} title={mimeType}>
            <Icon size={14} aria-hidden />
            <span className="untrusted">{name}</span>
            <span className="quiet">{sizeText(sizeBytes, language)}</span>
          </li>
        );
      })}
    </ul>
  );
}
