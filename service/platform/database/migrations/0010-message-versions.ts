import type { Migration } from './migration.ts';

/** Versions of messages beside the ones that are shown, and the texts of attached files. */
export const messageVersions: Migration = {
  name: '0010-message-versions',
  async up({ createTable, tables, execute, asText, types, longText }) {
    const columns = await tables.describeTable('conversation_messages');
    const add = async (name: string, type: typeof longText): Promise<void> => {
      if (!columns[name])
        await tables.addColumn('conversation_messages', name, { type, allowNull: true });
    };
    await add('message_id', types.STRING(36));
    await add('sequence', types.INTEGER);
    await execute(
      `UPDATE conversation_messages SET message_id = ${asText('position', 36)}, sequence = 0
       WHERE message_id IS NULL`,
    );
    await createTable('conversation_versions', {
      conversation_id: { type: types.STRING(36), primaryKey: true },
      message_id: { type: types.STRING(36), primaryKey: true },
      /** Null: a first message. */
      parent_id: { type: types.STRING(36), allowNull: true },
      sequence: { type: types.INTEGER, allowNull: false },
      /** The revision of the conversation that stopped showing it. */
      left_at: { type: types.INTEGER, allowNull: false },
      body: { type: longText, allowNull: false },
      search_text: { type: longText, allowNull: false },
    });
    await createTable('conversation_attachments', {
      conversation_id: { type: types.STRING(36), primaryKey: true },
      attachment_id: { type: types.STRING(36), primaryKey: true },
      /** 0 is what the model is given; all of the text follows in pieces. */
      part: { type: types.INTEGER, primaryKey: true },
      body: { type: longText, allowNull: false },
    });
  },
};
