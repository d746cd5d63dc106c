import type { StreamEvent } from '../../../http/reply.ts';

/** Joins texts that the reader has not received yet. */
export function mergeTexts(last: StreamEvent, next: StreamEvent): StreamEvent | null {
  if (last.event !== next.event || !['token', 'thinking'].includes(last.event)) return null;
  const text = (event: StreamEvent): string => (event.data as { text: string }).text;
  return { event: last.event, data: { text: text(last) + text(next) } };
}
