import type {
  Conversation,
  ConversationChange,
  ConversationSettings,
} from '../../../service/contract/index.ts';

/** How a conversation is filed, and what holds for each of its turns. */
export type ConversationDetails = ConversationSettings &
  Pick<Conversation, 'folder' | 'pinned' | 'archived'>;

export const noDetails: ConversationDetails = { pinned: false, archived: false };

export const detailsOf = (stored: ConversationDetails): ConversationDetails => ({
  folder: stored.folder,
  pinned: stored.pinned,
  archived: stored.archived,
  systemPrompt: stored.systemPrompt,
  temperature: stored.temperature,
  model: stored.model,
  disabledTools: stored.disabledTools,
});

/** The details after a change that is not stored yet; null takes a value away. */
export function changedDetails(
  details: ConversationDetails,
  { title: _, ...change }: ConversationChange,
): ConversationDetails {
  const entries = Object.entries({ ...details, ...change }).map(([name, value]) => [
    name,
    value ?? undefined,
  ]);
  return Object.fromEntries(entries) as ConversationDetails;
}

/** The details to store with a new conversation; null where there are none. */
export function startingChange(details: ConversationDetails): ConversationChange | null {
  const set = Object.entries(details).filter(([, value]) => value !== undefined && value !== false);
  return set.length === 0 ? null : Object.fromEntries(set);
}
