import type {
  Conversation,
  ConversationChange,
  ConversationSettings,
} from '../../../service/contract/index.ts';

/** Folder, pin and settings of a conversation, which apply to each of its turns. */
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

/** Returns the details after a change that is not stored yet; null removes a value. */
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

/** Returns the details to store with a new conversation; null if there are none. */
export function startingChange(details: ConversationDetails): ConversationChange | null {
  const set = Object.entries(details).filter(([, value]) => value !== undefined && value !== false);
  return set.length === 0 ? null : Object.fromEntries(set);
}
