import type { ResourceAttachment } from './attachments.ts';

/** A resource as its server describes it. */
export interface OfferedResource extends ResourceAttachment {
  description: string;
  mimeType: string;
  /** Null if the server does not report it. */
  sizeBytes: number | null;
}

/** Returns the resources that a server listed, without those that have no address. */
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

/** Returns true if each word of the query occurs in the description of the resource. */
export function matchesResource(resource: OfferedResource, query: string): boolean {
  const { name, server, uri, description, mimeType } = resource;
  const text = [name, server, uri, description, mimeType].join('\n').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
