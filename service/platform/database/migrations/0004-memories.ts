import type { Migration } from './migration.ts';

/** What models were asked to remember. */
export const memories: Migration = {
  name: '0004-memories',
  async up({ createTable, types }) {
    await createTable('memories', {
      id: { type: types.INTEGER, primaryKey: true, autoIncrement: true },
      user_id: { type: types.INTEGER, allowNull: false },
      text: { type: types.TEXT, allowNull: false },
      tags: { type: types.TEXT, allowNull: false },
      created_at: { type: types.DATE(3), allowNull: false },
    });
  },
};
