import type { Migration } from './migration.ts';

/** Folders, pins, the archive and settings of conversations, and whose word a title is. */
export const conversationSettings: Migration = {
  name: '0014-conversation-settings',
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
    /** `person` or `model`; null: the first words. */
    await add('titled_by', types.STRING(10));
  },
};
