import type { Migration } from './migration.ts';

/** Which notice of the host's own a notification is, so that it can be told in every language. */
export const notices: Migration = {
  name: '0009-notices',
  async up({ tables, types, longText }) {
    const columns = await tables.describeTable('notifications');
    if (!columns['code'])
      await tables.addColumn('notifications', 'code', { type: types.STRING(100), allowNull: true });
    if (!columns['parameters'])
      await tables.addColumn('notifications', 'parameters', { type: longText, allowNull: true });
  },
};
