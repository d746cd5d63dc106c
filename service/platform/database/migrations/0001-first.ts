import type { BulkCreateOptions, QueryOptions } from 'sequelize';
import type { Migration } from './migration.ts';

/** Users, settings, installed plugins, notifications. */
export const first: Migration = {
  name: '0001-first',
  async up({ createTable, tables, types, longText }) {
    await createTable('users', {
      id: { type: types.INTEGER, primaryKey: true, autoIncrement: true },
      name: { type: types.STRING(200), allowNull: false },
      created_at: { type: types.DATE(3), allowNull: false },
    });
    const admin = { id: 1, name: 'admin', created_at: new Date() };
    const ifMissing: BulkCreateOptions = { ignoreDuplicates: true };
    await tables.bulkInsert('users', [admin], ifMissing as QueryOptions);
    await createTable('settings', {
      name: { type: types.STRING(100), primaryKey: true },
      value: { type: longText, allowNull: false },
    });
    await createTable('plugins', {
      id: { type: types.STRING(128), primaryKey: true },
      enabled: { type: types.BOOLEAN, allowNull: false },
      source: { type: types.STRING(20), allowNull: false },
      installed_at: { type: types.DATE(3), allowNull: false },
    });
    await createTable('seeded_plugins', {
      id: { type: types.STRING(128), primaryKey: true },
      version: { type: types.STRING(256), allowNull: false },
    });
    await createTable('notifications', {
      id: { type: types.INTEGER, primaryKey: true, autoIncrement: true },
      user_id: { type: types.INTEGER, allowNull: false },
      source: { type: types.STRING(200), allowNull: false },
      level: { type: types.STRING(10), allowNull: false },
      title: { type: types.STRING(200), allowNull: false },
      body: { type: types.TEXT, allowNull: true },
      link: { type: types.TEXT, allowNull: true },
      created_at: { type: types.DATE(3), allowNull: false },
      read_at: { type: types.DATE(3), allowNull: true },
    });
  },
};
