import type { Migration } from './migration.ts';

/** What plugins have on the server of this database. */
export const pluginDatabases: Migration = {
  name: '0002-plugin-databases',
  async up({ createTable, types }) {
    await createTable('plugin_databases', {
      name: { type: types.STRING(63), primaryKey: true },
      plugin_id: { type: types.STRING(128), allowNull: false },
      type: { type: types.STRING(20), allowNull: false },
      username: { type: types.STRING(63), allowNull: false },
      password: { type: types.TEXT, allowNull: false },
      state: { type: types.STRING(20), allowNull: false },
      created_at: { type: types.DATE(3), allowNull: false },
    });
  },
};
