import { visible } from './visible.ts';

/** What a server says of its tool: text of a stranger, at most `maxLength` UTF-16 units, all of it visible. */
export function visibleDescription(
  { description, title }: { description?: string | undefined; title?: string | undefined },
  maxLength: number,
): string {
  const start = (description ?? title ?? '').slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  return visible(start);
}
