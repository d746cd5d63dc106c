import type { Migration } from './migration.ts';

/** Folders, pins, archive and settings of conversations, and who gave their titles. */
export const conversationSettings: Migration = {
  name: '0013-conversation-settings',
  async up({ tables, types, longText }) {
    const columns = await tables.describeTable('conversations');
    const add = async (name: string, type: typeof longText): Promise<void> => {
      if (!columns[name]) await tables.addColumn('conversations', name, { type, allowNull: true });
    };
    await add('folder', types.STRING(200));
    /** 1, else 0 or null. */
    await add('pinned', types.INTEGER);
    await add('archived', types.INTEGER);
    /** JSON. */
    await add('settings', longText);
    /** `person` or `model`; null: the start of the first message. */
    await add('titled_by', types.STRING(10));
  },
};
