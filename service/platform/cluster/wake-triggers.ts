import type { Database } from '../database/database.ts';
import { clusterChannel } from './cluster-bus.ts';

/** Tables whose changes affect every host. */
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
 * Creates triggers that wake the hosts, so that no write is missed. Only clusters have these
 * triggers; they must be created while the lock of migrations is held.
 */
export async function makeWakeTriggers({ sequelize }: Database): Promise<void> {
  const run = (sql: string): Promise<unknown> => sequelize.query(sql);
  await run(functionSql('plugin_host_table_changed', notify(`'table:' || TG_TABLE_NAME`)));
  const runs = `PERFORM pg_notify('${clusterChannel}', 'run:' || run_id) FROM (SELECT DISTINCT run_id FROM added) AS runs;`;
  await run(functionSql('plugin_host_run_events', runs));
  await run(functionSql('plugin_host_run_changed', notify(`'run:' || NEW.id`)));
  await run(functionSql('plugin_host_requested', notify(`'request:' || NEW.run_id`)));
  const { rows } = await existing(sequelize);
  const changed = 'plugin_host_table_changed';
  const all = 'INSERT OR UPDATE OR DELETE';
  for (const table of sharedTables.filter((name) => rows.has(name)))
    await makeTrigger(run, { table, on: all, each: 'STATEMENT', call: changed });
  const ofHosts = 'INSERT OR DELETE OR UPDATE OF state';
  await makeTrigger(run, { table: 'cluster_hosts', on: ofHosts, each: 'STATEMENT', call: changed });
  await makeTrigger(run, {
    table: 'agent_events',
    on: 'INSERT',
    referencing: 'REFERENCING NEW TABLE AS added',
    each: 'STATEMENT',
    call: 'plugin_host_run_events',
  });
  const ofRuns = 'plugin_host_run_changed';
  await makeTrigger(run, { table: 'agent_runs', on: 'UPDATE', each: 'ROW', call: ofRuns });
  const asked = 'plugin_host_requested';
  await makeTrigger(run, {
    table: 'cluster_requests',
    on: 'INSERT OR UPDATE',
    each: 'ROW',
    call: asked,
  });
}

async function existing(sequelize: Database['sequelize']): Promise<{ rows: Set<string> }> {
  const [found] = await sequelize.query(
    'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()',
  );
  return { rows: new Set((found as { tablename: string }[]).map(({ tablename }) => tablename)) };
}

interface Trigger {
  table: string;
  on: string;
  referencing?: string;
  each: 'ROW' | 'STATEMENT';
  /** The function that the trigger is named after. */
  call: string;
}

async function makeTrigger(
  run: (sql: string) => Promise<unknown>,
  { table, on, referencing = '', each, call }: Trigger,
): Promise<void> {
  await run(`DROP TRIGGER IF EXISTS ${call} ON ${table}`);
  await run(
    `CREATE TRIGGER ${call} AFTER ${on} ON ${table} ${referencing} FOR EACH ${each} EXECUTE FUNCTION ${call}()`,
  );
}
