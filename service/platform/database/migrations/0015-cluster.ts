import type { Migration } from './migration.ts';

/** Hosts that share a database, what they ask of each other, and which of them has a run. */
export const cluster: Migration = {
  name: '0015-cluster',
  async up({ createTable, tables, types, longText }) {
    await createTable('cluster_hosts', {
      id: { type: types.STRING(36), primaryKey: true },
      name: { type: types.STRING(200), allowNull: false },
      version: { type: types.STRING(100), allowNull: false },
      state: { type: types.STRING(20), allowNull: false },
      /** JSON: `{name: version}` of the tools that runs may name. */
      tools: { type: longText, allowNull: false },
      /** JSON: `{name: {effect, inputSchema}}` of the same tools. */
      schemas: { type: longText, allowNull: false },
      started_at: { type: types.DATE(3), allowNull: false },
      last_seen_at: { type: types.DATE(3), allowNull: false },
    });
    await createTable('cluster_requests', {
      id: { type: types.STRING(36), primaryKey: true },
      /** The run that is meant; the host that has it answers. */
      run_id: { type: types.STRING(36), allowNull: false },
      kind: { type: types.STRING(30), allowNull: false },
      /** JSON. */
      body: { type: longText, allowNull: false },
      /** JSON; null until a host has answered. */
      answer: { type: longText, allowNull: true },
      created_at: { type: types.DATE(3), allowNull: false },
    });
    const columns = await tables.describeTable('agent_runs');
    if (!columns['owner'])
      await tables.addColumn('agent_runs', 'owner', { type: types.STRING(36), allowNull: true });
    if (!columns['generation'])
      await tables.addColumn('agent_runs', 'generation', {
        type: types.INTEGER,
        allowNull: false,
        defaultValue: 0,
      });
  },
};
