import type { Migration } from './migration.ts';

/** Adds the public keys of sources, which packages are to be signed with. */
export const sourceKeys: Migration = {
  name: '0012-source-keys',
  async up({ tables, types }) {
    const columns = await tables.describeTable('plugin_sources');
    if (!columns['public_key'])
      await tables.addColumn('plugin_sources', 'public_key', { type: types.TEXT, allowNull: true });
  },
};
