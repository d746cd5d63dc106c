import { visible } from './visible.ts';

/**
 * The server's description of its tool as untrusted text: visible, and at most `maxLength` UTF-16
 * units.
 */
export function visibleDescription(
  { description, title }: { description?: string | undefined; title?: string | undefined },
  maxLength: number,
): string {
  const start = (description ?? title ?? '').slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  return visible(start);
}
