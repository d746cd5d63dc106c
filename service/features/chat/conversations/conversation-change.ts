import type { ConversationChange, ConversationSettings } from '../../../contract/index.ts';
import type { ConversationRow } from './conversation-row.ts';

const settingNames = ['systemPrompt', 'temperature', 'model', 'disabledTools'] as const;

/** Returns a conversation with the changes of a person. */
export function withChange(row: ConversationRow, change: ConversationChange): ConversationRow {
  const { title, folder = row.folder, pinned = row.pinned, archived = row.archived } = change;
  return {
    ...row,
    ...(title === undefined ? {} : { title, titledBy: 'person' }),
    folder: folder === '' ? null : folder,
    pinned,
    archived,
    settings: changedSettings(row.settings, change),
  };
}

function changedSettings(
  settings: ConversationSettings,
  change: ConversationChange,
): ConversationSettings {
  const named = settingNames.filter((name) => change[name] !== undefined);
  const remaining = Object.entries(settings).filter(([name]) => !named.some((one) => one === name));
  const fresh = named.flatMap((name) => (isEmpty(change[name]) ? [] : [[name, change[name]]]));
  return Object.fromEntries([...remaining, ...fresh]) as ConversationSettings;
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);
