import type { Migration } from './migration.ts';

/** Runs of agents, and all that happened in them, in order. */
export const agentRuns: Migration = {
  name: '0006-agent-runs',
  async up({ createTable, types, longText }) {
    await createTable('agent_runs', {
      id: { type: types.STRING(36), primaryKey: true },
      user_id: { type: types.INTEGER, allowNull: false },
      goal: { type: longText, allowNull: false },
      status: { type: types.STRING(30), allowNull: false },
      posture: { type: types.STRING(30), allowNull: false },
      /** JSON: what was asked for beside the goal. */
      request: { type: longText, allowNull: false },
      /** JSON; null until there is one. */
      plan: { type: longText, allowNull: true },
      summary: { type: longText, allowNull: true },
      error: { type: longText, allowNull: true },
      /** What searches look at: in small letters. */
      search_text: { type: longText, allowNull: false },
      parent_run_id: { type: types.STRING(36), allowNull: true },
      batch_id: { type: types.STRING(36), allowNull: true },
      workflow_id: { type: types.STRING(100), allowNull: true },
      created_at: { type: types.DATE(3), allowNull: false },
      updated_at: { type: types.DATE(3), allowNull: false },
      finished_at: { type: types.DATE(3), allowNull: true },
    });
    const columns = {
      id: { type: types.INTEGER, primaryKey: true, autoIncrement: true },
      run_id: { type: types.STRING(36), allowNull: false },
      sequence: { type: types.INTEGER, allowNull: false },
      at: { type: types.DATE(3), allowNull: false },
      type: { type: types.STRING(50), allowNull: false },
      /** JSON. */
      data: { type: longText, allowNull: false },
    };
    await createTable('agent_events', columns, { agent_event_order: ['run_id', 'sequence'] });
  },
};
