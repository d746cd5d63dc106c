import type { StreamEvent } from '../../../http/reply.ts';

/** Joins model texts that the reader has not received yet. */
export function mergeTexts(last: StreamEvent, next: StreamEvent): StreamEvent | null {
  const { event } = next;
  const isText = event === 'plan_token' || event === 'answer_token';
  if (!isText || last.event !== event) return null;
  const text = ({ data }: StreamEvent): string => (data as { text: string }).text;
  return { event, data: { text: text(last) + text(next) } };
}
