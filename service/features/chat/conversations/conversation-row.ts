import { randomUUID } from 'node:crypto';
import { isoOf } from '../../../platform/database/values.ts';

/** A conversation as the rest of the host sees it. */
export interface ConversationRow {
  id: string;
  title: string;
  /** The conversation that it was forked from. */
  parentId: string | null;
  /** Increases with every change. */
  revision: number;
  messageCount: number;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
}

/** The columns of a conversation in the database. */
export interface StoredRow {
  id: string;
  title: string;
  parent_id: string | null;
  revision: number;
  message_count: number;
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
  created_at: new Date(row.createdAt),
  updated_at: new Date(row.updatedAt),
});

export const rowOf = (row: StoredRow): ConversationRow => ({
  id: row.id,
  title: row.title,
  parentId: row.parent_id === '' ? null : row.parent_id,
  revision: row.revision,
  messageCount: row.message_count,
  createdAt: isoOf(row.created_at),
  updatedAt: isoOf(row.updated_at),
});

export const newRow = (
  title: string,
  messageCount: number,
  parentId: string | null = null,
): ConversationRow => {
  const now = new Date().toISOString();
  return {
    id: randomUUID(),
    title,
    parentId,
    revision: 1,
    messageCount,
    createdAt: now,
    updatedAt: now,
  };
};
