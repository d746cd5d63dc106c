import { randomUUID } from 'node:crypto';
import { ConversationSettings } from '../../../contract/index.ts';
import { isoOf } from '../../../platform/database/values.ts';

/** A conversation in the form that the rest of the host uses. */
export interface ConversationRow {
  id: string;
  title: string;
  /** The conversation that it was forked from. */
  parentId: string | null;
  /** Increases with every change. */
  revision: number;
  messageCount: number;
  /** Null if it is in no folder. */
  folder: string | null;
  pinned: boolean;
  archived: boolean;
  settings: ConversationSettings;
  /** The author of the title; null: the title is the start of the first message. */
  titledBy: TitledBy;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
}

/** The author of a title; null: the title is the start of the first message. */
export type TitledBy = 'person' | 'model' | null;

/** The row of a conversation in the database. */
export interface StoredRow {
  id: string;
  title: string;
  parent_id: string | null;
  revision: number;
  message_count: number;
  folder: string | null;
  pinned: number | null;
  archived: number | null;
  settings: string | null;
  titled_by: string | null;
  created_at: Date | string;
  updated_at: Date | string;
}

/** Columns of a conversation in the database. */
export const stored = [
  'id',
  'title',
  'parent_id',
  'revision',
  'message_count',
  'folder',
  'pinned',
  'archived',
  'settings',
  'titled_by',
  'created_at',
  'updated_at',
] as const;

export const columnsOf = (
  row: ConversationRow,
): Omit<StoredRow, 'id'> & { id: string } & {
  search_title: string;
} => ({
  id: row.id,
  title: row.title,
  search_title: row.title.toLowerCase(),
  parent_id: row.parentId,
  revision: row.revision,
  message_count: row.messageCount,
  folder: row.folder,
  pinned: row.pinned ? 1 : 0,
  archived: row.archived ? 1 : 0,
  settings: JSON.stringify(row.settings),
  titled_by: row.titledBy,
  created_at: new Date(row.createdAt),
  updated_at: new Date(row.updatedAt),
});

export const rowOf = (row: StoredRow): ConversationRow => ({
  id: row.id,
  title: row.title,
  parentId: row.parent_id === '' ? null : row.parent_id,
  revision: row.revision,
  messageCount: row.message_count,
  folder: row.folder === '' ? null : row.folder,
  pinned: row.pinned === 1,
  archived: row.archived === 1,
  settings: settingsOf(row.settings),
  titledBy: row.titled_by === 'person' || row.titled_by === 'model' ? row.titled_by : null,
  createdAt: isoOf(row.created_at),
  updatedAt: isoOf(row.updated_at),
});

/** Leaves out values that this release does not understand. */
function settingsOf(text: string | null): ConversationSettings {
  if (text === null || text === '') return {};
  const result = ConversationSettings.safeParse(JSON.parse(text));
  return result.success ? result.data : {};
}

export const newRow = (
  title: string,
  messageCount: number,
  more: Partial<ConversationRow> = {},
): ConversationRow => {
  const now = new Date().toISOString();
  return {
    id: randomUUID(),
    title,
    parentId: null,
    revision: 1,
    messageCount,
    folder: null,
    pinned: false,
    archived: false,
    settings: {},
    titledBy: null,
    ...more,
    createdAt: now,
    updatedAt: now,
  };
};
