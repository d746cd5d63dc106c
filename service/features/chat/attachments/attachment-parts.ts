import type { MessageAttachment } from '../../../contract/index.ts';
import type { ModelPart } from '../../models/index.ts';
import { markedText, plainFacts } from '../marked-text.ts';

/** An attached file as the model sees it: its text or an excerpt, otherwise name and size. */
export function attachmentParts(
  { name, mimeType, sizeBytes, kind, problem }: MessageAttachment,
  excerpt: string | undefined,
): ModelPart[] {
  const facts = { name, type: mimeType, bytes: String(sizeBytes) };
  if (kind === 'image') return [];
  if (excerpt !== undefined) return markedText('untrusted-attachment', facts, excerpt);
  const named = plainFacts({ ...facts, reason: problem ?? '' });
  const text = `\n\n[Attached, but its content cannot be read here: ${named}]\n`;
  return [{ type: 'text', text }];
}
