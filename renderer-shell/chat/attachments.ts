import type { ChatFile, ChatMessage } from '../../service/contract/index.ts';

/** Something that goes along with what a person says. */
export type Attachment =
  | { kind: 'image'; name: string; mimeType: string; /** Base64. */ data: string }
  /** A file or a folder that was brought to the service, for the plugins. */
  | { kind: 'file' | 'directory'; name: string; sizeBytes: number; uploadId: string };

export function messageOf(draft: {
  text: string;
  attachments: readonly Attachment[];
}): ChatMessage {
  const text = draft.text.trim();
  const images = draft.attachments.flatMap((attachment) =>
    attachment.kind === 'image'
      ? [{ type: 'image' as const, mimeType: attachment.mimeType, data: attachment.data }]
      : [],
  );
  if (images.length === 0) return { role: 'user', content: text };
  const texts = text === '' ? [] : [{ type: 'text' as const, text }];
  return { role: 'user', content: [...texts, ...images] };
}

export const filesOf = (attachments: readonly Attachment[]): ChatFile[] =>
  attachments.flatMap((attachment) =>
    attachment.kind === 'image' ? [] : [{ uploadId: attachment.uploadId, name: attachment.name }],
  );
