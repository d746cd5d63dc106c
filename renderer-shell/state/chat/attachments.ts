import type {
  ChatFile,
  ChatMessage,
  ChatResource,
  MessageAttachment,
  ResourcePart,
  TurnFile,
} from '../../../service/contract/index.ts';

/** Something that is sent along with a message. */
export type Attachment =
  | { kind: 'image'; name: string; mimeType: string; /** Base64. */ data: string }
  /** A file or a folder that was uploaded to the service for plugins. */
  | {
      kind: 'file' | 'directory';
      name: string;
      sizeBytes: number;
      uploadId: string;
      /** Its first lines if it is a text. */
      preview?: string;
    }
  /** An attachment of an earlier message. */
  | { kind: 'stored'; name: string; sizeBytes: number; from: StoredAttachment }
  /** Read by the service when the message is sent. */
  | ResourceAttachment;

type StoredAttachment = MessageAttachment & { conversationId: string };

/** A resource of an MCP server, attached to a message. */
export interface ResourceAttachment {
  kind: 'resource';
  name: string;
  serverId: string;
  /** The display name of the server. */
  server: string;
  uri: string;
}

interface MessageInput {
  text: string;
  attachments: readonly Attachment[];
}

/** The limit of the service for resources in one message. */
export const maxResources = 10;

/** Returns the message as it is sent. */
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

/** Returns the message to show until the service reports the content of its files and resources. */
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

/** Returns the first lines of a file, if they are known. */
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

/** Returns the same, including the attachments of earlier messages. */
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

/**
 * Returns the attachments to send again when a message is edited. A resource in several parts is
 * one attachment.
 */
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
    // Images are part of the message itself.
    if (kind === 'image') return [];
    return [{ kind: 'stored', name, sizeBytes, from: { conversationId, ...attachment } }];
  });
  return [
    ...found.filter((one, index) => found.findIndex((other) => isSame(one, other)) === index),
    ...stored,
  ];
}

/** Returns true if both are the same resource. */
export const isSame = (one: Attachment, other: Attachment): boolean =>
  one === other ||
  (one.kind === 'resource' &&
    other.kind === 'resource' &&
    one.serverId === other.serverId &&
    one.uri === other.uri);
