import type { Migration } from './migration.ts';

/** Code and parameters of host notifications, so that they can be translated. */
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
