import type { Database } from '../database/database.ts';
import { clusterChannel } from './cluster-bus.ts';

/** Tables whose changes every host has to see. */
export const sharedTables = [
  'settings',
  'conversations',
  'notifications',
  'workflows',
  'schedules',
] as const;

const notify = (what: string): string => `PERFORM pg_notify('${clusterChannel}', ${what});`;

const body = (statements: string): string => `$$ BEGIN ${statements} RETURN NULL; END $$`;

const functionSql = (name: string, statements: string): string =>
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS ${body(statements)}`;

/**
 * Makes the database wake the hosts itself, so that no write is forgotten. Only a cluster has these
 * triggers; they must be made while the lock of migrations is held.
 */
export async function makeWakeTriggers({ sequelize }: Database): Promise<void> {
  const run = (sql: string): Promise<unknown> => sequelize.query(sql);
  await run(functionSql('plugin_host_table_changed', notify(`'table:' || TG_TABLE_NAME`)));
  const runs = `PERFORM pg_notify('${clusterChannel}', 'run:' || run_id) FROM (SELECT DISTINCT run_id FROM added) AS runs;`;
  await run(functionSql('plugin_host_run_events', runs));
  await run(functionSql('plugin_host_run_changed', notify(`'run:' || NEW.id`)));
  await run(functionSql('plugin_host_requested', notify(`'request:' || NEW.run_id`)));
  const { rows } = await existing(sequelize);
  for (const table of sharedTables)
    if (rows.has(table))
      await trigger(
        run,
        table,
        'INSERT OR UPDATE OR DELETE',
        'STATEMENT',
        'plugin_host_table_changed',
      );
  const ofHosts = 'INSERT OR DELETE OR UPDATE OF state';
  await trigger(run, 'cluster_hosts', ofHosts, 'STATEMENT', 'plugin_host_table_changed');
  await trigger(
    run,
    'agent_events',
    'INSERT',
    'STATEMENT',
    'plugin_host_run_events',
    'REFERENCING NEW TABLE AS added ',
  );
  await trigger(run, 'agent_runs', 'UPDATE', 'ROW', 'plugin_host_run_changed');
  await trigger(run, 'cluster_requests', 'INSERT OR UPDATE', 'ROW', 'plugin_host_requested');
}

async function existing(sequelize: Database['sequelize']): Promise<{ rows: Set<string> }> {
  const [found] = await sequelize.query(
    'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()',
  );
  return { rows: new Set((found as { tablename: string }[]).map(({ tablename }) => tablename)) };
}

async function trigger(
  run: (sql: string) => Promise<unknown>,
  table: string,
  events: string,
  each: 'ROW' | 'STATEMENT',
  called: string,
  referencing = '',
): Promise<void> {
  await run(`DROP TRIGGER IF EXISTS ${called} ON ${table}`);
  await run(
    `CREATE TRIGGER ${called} AFTER ${events} ON ${table} ${referencing}FOR EACH ${each} EXECUTE FUNCTION ${called}()`,
  );
}
