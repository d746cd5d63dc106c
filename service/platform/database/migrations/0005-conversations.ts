import type { Migration } from './migration.ts';

/** Conversations and their messages, in their order. */
export const conversations: Migration = {
  name: '0005-conversations',
  async up({ createTable, types, longText }) {
    await createTable('conversations', {
      id: { type: types.STRING(36), primaryKey: true },
      user_id: { type: types.INTEGER, allowNull: false },
      title: { type: types.STRING(300), allowNull: false },
      /** What searches look at: in small letters. */
      search_title: { type: types.TEXT, allowNull: false },
      parent_id: { type: types.STRING(36), allowNull: true },
      revision: { type: types.INTEGER, allowNull: false },
      message_count: { type: types.INTEGER, allowNull: false },
      created_at: { type: types.DATE(3), allowNull: false },
      updated_at: { type: types.DATE(3), allowNull: false },
    });
    await createTable('conversation_messages', {
      conversation_id: { type: types.STRING(36), primaryKey: true },
      position: { type: types.INTEGER, primaryKey: true },
      body: { type: longText, allowNull: false },
      search_text: { type: longText, allowNull: false },
    });
  },
};
