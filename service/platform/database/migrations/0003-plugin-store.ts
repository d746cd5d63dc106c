import type { Migration } from './migration.ts';

/** Sources of the plugin store, and which plugins may run what they bring. */
export const pluginStore: Migration = {
  name: '0003-plugin-store',
  async up({ createTable, types }) {
    await createTable('plugin_sources', {
      id: { type: types.STRING(60), primaryKey: true },
      kind: { type: types.STRING(20), allowNull: false },
      kind_given: { type: types.BOOLEAN, allowNull: false },
      url: { type: types.TEXT, allowNull: false },
      ref: { type: types.STRING(200), allowNull: true },
      enabled: { type: types.BOOLEAN, allowNull: false },
      added_at: { type: types.DATE(3), allowNull: false },
    });
    await createTable('plugin_trust', {
      plugin_id: { type: types.STRING(128), primaryKey: true },
      hash: { type: types.STRING(64), allowNull: false },
      trusted_at: { type: types.DATE(3), allowNull: false },
    });
  },
};
