import type { Migration } from './migration.ts';

/** Workflows, and what each of their revisions holds; the current one is among them. */
export const workflows: Migration = {
  name: '0007-workflows',
  async up({ createTable, types, longText }) {
    await createTable('workflows', {
      id: { type: types.STRING(36), primaryKey: true },
      user_id: { type: types.INTEGER, allowNull: false },
      published: { type: types.BOOLEAN, allowNull: false },
      revision: { type: types.INTEGER, allowNull: false },
      created_at: { type: types.DATE(3), allowNull: false },
      updated_at: { type: types.DATE(3), allowNull: false },
    });
    await createTable('workflow_revisions', {
      workflow_id: { type: types.STRING(36), primaryKey: true },
      revision: { type: types.INTEGER, primaryKey: true },
      name: { type: types.STRING(300), allowNull: false },
      description: { type: longText, allowNull: false },
      step_count: { type: types.INTEGER, allowNull: false },
      /** `{inputSchema, plan, layout}` */
      body: { type: longText, allowNull: false },
      graph: { type: longText, allowNull: true },
      created_at: { type: types.DATE(3), allowNull: false },
    });
  },
};
