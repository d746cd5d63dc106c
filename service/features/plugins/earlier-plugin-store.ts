import type { Database } from '../../platform/database/database.ts';
import { truthOf } from '../../platform/database/values.ts';
import type { PluginRow, PluginRows } from './plugin-store.ts';

/**
 * Rows that earlier releases stored in the database, possibly from several working directories.
 * `seeded`: true if rows of this directory are among them, so that plugins uninstalled here are not
 * restored.
 */
export async function earlierPluginRows(
  database: Database,
  { seeded }: { seeded: boolean },
): Promise<PluginRows> {
  type Row = Omit<PluginRow, 'enabled'> & { enabled: boolean | number };
  const plugins = await database.select<Row>('SELECT "id", "enabled", "source" FROM "plugins"');
  const seeds = seeded
    ? await database.select<{ id: string; version: string }>(
        'SELECT "id", "version" FROM "seeded_plugins"',
      )
    : [];
  return {
    plugins: plugins.map((row) => ({ ...row, enabled: truthOf(row.enabled) })),
    seeded: new Map(seeds.map(({ id, version }) => [id, version])),
  };
}
