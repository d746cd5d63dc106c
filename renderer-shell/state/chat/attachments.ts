import type {
  ChatFile,
  ChatMessage,
  ChatResource,
  MessageAttachment,
  ResourcePart,
  TurnFile,
} from '../../../service/contract/index.ts';

/** Something that goes along with what a person says. */
export type Attachment =
  | { kind: 'image'; name: string; mimeType: string; /** Base64. */ data: string }
  /** A file or a folder that was brought to the service, for the plugins. */
  | {
      kind: 'file' | 'directory';
      name: string;
      sizeBytes: number;
      uploadId: string;
      /** Its first lines, where it is a text. */
      preview?: string;
    }
  /** What an earlier message has. */
  | { kind: 'stored'; name: string; sizeBytes: number; from: StoredAttachment }
  /** Read by the service when the message is sent. */
  | ResourceAttachment;

type StoredAttachment = MessageAttachment & { conversationId: string };

export interface ResourceAttachment {
  kind: 'resource';
  name: string;
  serverId: string;
  /** The name of the server. */
  server: string;
  uri: string;
}

interface MessageInput {
  text: string;
  attachments: readonly Attachment[];
}

/** How many resources the service takes with one message. */
export const maxResources = 10;

/** The message as it is sent. */
export function messageOf({ text, attachments }: MessageInput): ChatMessage {
  const trimmed = text.trim();
  const images = attachments.flatMap((attachment) =>
    attachment.kind === 'image'
      ? [{ type: 'image' as const, mimeType: attachment.mimeType, data: attachment.data }]
      : [],
  );
  if (images.length === 0) return { role: 'user', content: trimmed };
  return { role: 'user', content: [...textParts(trimmed), ...images] };
}

/** The message as it is shown until the service tells what its files and resources hold. */
export function optimisticMessageOf(input: MessageInput): ChatMessage {
  const message = messageOf(input);
  const files = input.attachments.flatMap((attachment): MessageAttachment[] => {
    if (attachment.kind === 'image' || attachment.kind === 'resource') return [];
    const { name, sizeBytes } = attachment;
    const preview = previewOf(attachment);
    const facts = { name, sizeBytes, mimeType: '', kind: 'other' as const };
    return [preview === undefined ? facts : { ...facts, preview }];
  });
  const resources = input.attachments.flatMap((attachment): ResourcePart[] => {
    if (attachment.kind !== 'resource') return [];
    const { kind: type, ...resource } = attachment;
    return [{ type, ...resource }];
  });
  const { content } = message;
  const parts = typeof content === 'string' ? textParts(content) : content;
  return {
    ...message,
    ...(resources.length > 0 && { content: [...parts, ...resources] }),
    ...(files.length > 0 && { attachments: files }),
  };
}

/** The first lines of a file, as far as they are known. */
export const previewOf = (attachment: Attachment): string | undefined =>
  attachment.kind === 'stored'
    ? attachment.from.preview
    : 'preview' in attachment
      ? attachment.preview
      : undefined;

const textParts = (text: string) => (text === '' ? [] : [{ type: 'text' as const, text }]);

export const filesOf = (attachments: readonly Attachment[]): ChatFile[] =>
  attachments.flatMap((attachment) =>
    attachment.kind === 'file' || attachment.kind === 'directory'
      ? [{ uploadId: attachment.uploadId, name: attachment.name }]
      : [],
  );

/** The same, and what earlier messages have. */
export const turnFilesOf = (attachments: readonly Attachment[]): TurnFile[] => [
  ...filesOf(attachments),
  ...attachments.flatMap((one) => (one.kind === 'stored' ? [{ attachment: one.from }] : [])),
];

export const resourcesOf = (attachments: readonly Attachment[]): ChatResource[] =>
  attachments.flatMap((attachment) =>
    attachment.kind === 'resource'
      ? [{ serverId: attachment.serverId, uri: attachment.uri, name: attachment.name }]
      : [],
  );

/** What goes along again when a message is written anew. A resource of several pieces is one. */
export function attachmentsOf(
  { content, attachments = [] }: ChatMessage,
  { conversationId, imageName }: { conversationId: string; imageName: string },
): Attachment[] {
  const parts = typeof content === 'string' ? [] : content;
  const found = parts.flatMap((part): Attachment[] => {
    if (part.type === 'text') return [];
    if (part.type === 'image')
      return [{ kind: 'image', name: imageName, mimeType: part.mimeType, data: part.data }];
    const { name, serverId, server, uri } = part;
    return [{ kind: 'resource', name, serverId, server, uri }];
  });
  const stored = attachments.flatMap((attachment): Attachment[] => {
    const { name, sizeBytes, kind } = attachment;
    // An image is a part of the message.
    if (kind === 'image') return [];
    return [{ kind: 'stored', name, sizeBytes, from: { conversationId, ...attachment } }];
  });
  return [
    ...found.filter((one, index) => found.findIndex((other) => isSame(one, other)) === index),
    ...stored,
  ];
}

/** Whether both are the same resource. */
export const isSame = (one: Attachment, other: Attachment): boolean =>
  one === other ||
  (one.kind === 'resource' &&
    other.kind === 'resource' &&
    one.serverId === other.serverId &&
    one.uri === other.uri);
