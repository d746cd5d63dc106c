import type { Migration } from './migration.ts';

interface Found {
  id: string;
  name: string;
  description: string;
}

/** Adds the column that workflow searches read: name and description in lower case. */
export const workflowSearch: Migration = {
  name: '0011-workflow-search',
  async up({ tables, rows, longText }) {
    const columns = await tables.describeTable('workflows');
    if (!columns['search_text'])
      await tables.addColumn('workflows', 'search_text', { type: longText, allowNull: true });
    // SQLite knows the small letters of ASCII only.
    const found = await rows<Found>(
      `SELECT w.id, r.name, r.description FROM workflows w
       JOIN workflow_revisions r ON r.workflow_id = w.id AND r.revision = w.revision
       WHERE w.search_text IS NULL`,
    );
    for (const { id, name, description } of found) {
      const search_text = `${name}\n${description}`.toLowerCase();
      await tables.bulkUpdate('workflows', { search_text }, { id });
    }
  },
};
