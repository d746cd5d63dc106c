import type { Migration } from './migration.ts';

/** Schedules that outlive the host. Those at an interval are not stored. */
export const schedules: Migration = {
  name: '0008-schedules',
  async up({ createTable, types, longText }) {
    await createTable('schedules', {
      id: { type: types.STRING(36), primaryKey: true },
      user_id: { type: types.INTEGER, allowNull: false },
      state: { type: types.STRING(20), allowNull: false },
      /** `{workflowId, workflowName, inputs, permissionMode?, timing: {cron, timeZone}}` */
      definition: { type: longText, allowNull: false },
      next_at: { type: types.DATE(3), allowNull: true },
      /** The last time that it was due and that is dealt with. */
      due_at: { type: types.DATE(3), allowNull: true },
      last_run: { type: longText, allowNull: true },
      /** A list, the newest first. */
      history: { type: longText, allowNull: false },
      created_at: { type: types.DATE(3), allowNull: false },
      updated_at: { type: types.DATE(3), allowNull: false },
    });
  },
};
