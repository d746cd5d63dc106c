import type { ConversationService } from '../conversations/conversation-service.ts';
import { unknownAttachment } from './attach-files.ts';

/**
 * Returns the excerpt of an attached text that the model receives, and the length of the text in
 * characters.
 * @throws HostError 404 `unknown_conversation`, `unknown_attachment`
 */
export async function attachmentText(
  service: ConversationService,
  id: string,
  refId: string,
): Promise<{ excerpt: string; totalCharacters: number }> {
  await service.row(id);
  const found = await service.attachments.excerpt(id, refId);
  if (found === null) throw unknownAttachment();
  return found;
}
