import type { ResourceAttachment } from './attachments.ts';

/** A resource as its server tells of it. */
export interface OfferedResource extends ResourceAttachment {
  description: string;
  mimeType: string;
  /** Null where the server does not tell. */
  sizeBytes: number | null;
}

/** What a server listed, without what has no address. */
export function offeredResources(
  { id: serverId, name: server }: { id: string; name: string },
  listed: readonly Record<string, unknown>[],
): OfferedResource[] {
  const uris = new Set<string>();
  return listed.flatMap((item) => {
    const uri = textIn(item, 'uri');
    if (uri === '' || uri.length > maxUri || uris.has(uri)) return [];
    uris.add(uri);
    const name = textIn(item, 'title') || textIn(item, 'name') || uri;
    const size = item['size'];
    return [
      {
        kind: 'resource' as const,
        serverId,
        server,
        uri,
        name: name.slice(0, maxName),
        description: textIn(item, 'description').slice(0, maxDescription),
        mimeType: textIn(item, 'mimeType').slice(0, maxName),
        sizeBytes: typeof size === 'number' && size >= 0 ? size : null,
      },
    ];
  });
}

const maxUri = 8_192;
const maxName = 200;
const maxDescription = 1_000;

function textIn(item: Record<string, unknown>, key: string): string {
  const value = item[key];
  return typeof value === 'string' ? value.trim() : '';
}

/** Whether each word stands somewhere in what is told of it. */
export function fits(resource: OfferedResource, query: string): boolean {
  const { name, server, uri, description, mimeType } = resource;
  const text = [name, server, uri, description, mimeType].join('\n').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
