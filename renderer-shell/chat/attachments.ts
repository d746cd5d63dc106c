import type {
  ChatContent,
  ChatFile,
  ChatMessage,
  ChatResource,
  ResourcePart,
} from '../../service/contract/index.ts';

/** Something that goes along with what a person says. */
export type Attachment =
  | { kind: 'image'; name: string; mimeType: string; /** Base64. */ data: string }
  /** A file or a folder that was brought to the service, for the plugins. */
  | { kind: 'file' | 'directory'; name: string; sizeBytes: number; uploadId: string }
  /** Read by the service when the message is sent. */
  | ResourceAttachment;

export interface ResourceAttachment {
  kind: 'resource';
  name: string;
  serverId: string;
  /** The name of the server. */
  server: string;
  uri: string;
}

interface Words {
  text: string;
  attachments: readonly Attachment[];
}

/** How many resources the service takes with one message. */
export const maxResources = 10;

/** The message as it is sent. */
export function messageOf({ text, attachments }: Words): ChatMessage {
  const said = text.trim();
  const images = attachments.flatMap((attachment) =>
    attachment.kind === 'image'
      ? [{ type: 'image' as const, mimeType: attachment.mimeType, data: attachment.data }]
      : [],
  );
  if (images.length === 0) return { role: 'user', content: said };
  return { role: 'user', content: [...textParts(said), ...images] };
}

/** The message as it is shown until the service tells what its resources hold. */
export function shownMessageOf(words: Words): ChatMessage {
  const message = messageOf(words);
  const resources = words.attachments.flatMap((attachment): ResourcePart[] => {
    if (attachment.kind !== 'resource') return [];
    const { kind: type, ...resource } = attachment;
    return [{ type, ...resource }];
  });
  if (resources.length === 0) return message;
  const { content } = message;
  const parts = typeof content === 'string' ? textParts(content) : content;
  return { ...message, content: [...parts, ...resources] };
}

const textParts = (text: string) => (text === '' ? [] : [{ type: 'text' as const, text }]);

export const filesOf = (attachments: readonly Attachment[]): ChatFile[] =>
  attachments.flatMap((attachment) =>
    attachment.kind === 'file' || attachment.kind === 'directory'
      ? [{ uploadId: attachment.uploadId, name: attachment.name }]
      : [],
  );

export const resourcesOf = (attachments: readonly Attachment[]): ChatResource[] =>
  attachments.flatMap((attachment) =>
    attachment.kind === 'resource'
      ? [{ serverId: attachment.serverId, uri: attachment.uri, name: attachment.name }]
      : [],
  );

/** What goes along again when a message is written anew. A resource of several pieces is one. */
export function attachmentsOf(content: ChatContent, imageName: string): Attachment[] {
  if (typeof content === 'string') return [];
  const found = content.flatMap((part): Attachment[] => {
    if (part.type === 'text') return [];
    if (part.type === 'image')
      return [{ kind: 'image', name: imageName, mimeType: part.mimeType, data: part.data }];
    const { name, serverId, server, uri } = part;
    return [{ kind: 'resource', name, serverId, server, uri }];
  });
  return found.filter((one, index) => found.findIndex((other) => isSame(one, other)) === index);
}

/** Whether both are the same resource. */
export const isSame = (one: Attachment, other: Attachment): boolean =>
  one === other ||
  (one.kind === 'resource' &&
    other.kind === 'resource' &&
    one.serverId === other.serverId &&
    one.uri === other.uri);
