import { DataTypes, QueryTypes } from 'sequelize';
import type { Database } from './database.ts';
import { castToText, longTextOf, tableOptionsOf } from './dialects.ts';
import { columnsSql, type FoundColumn, journalTable } from './schema-columns.ts';
import { refuseUnfit } from './unfit-schema.ts';
import type { Migration, MigrationContext, UniqueKeys } from './migrations/migration.ts';
import { first } from './migrations/0001-first.ts';
import { pluginDatabases } from './migrations/0002-plugin-databases.ts';
import { pluginStore } from './migrations/0003-plugin-store.ts';
import { conversations } from './migrations/0005-conversations.ts';
import { agentRuns } from './migrations/0006-agent-runs.ts';
import { memories } from './migrations/0004-memories.ts';
import { workflows } from './migrations/0007-workflows.ts';
import { schedules } from './migrations/0008-schedules.ts';
import { notices } from './migrations/0009-notices.ts';
import { messageVersions } from './migrations/0010-message-versions.ts';
import { workflowSearch } from './migrations/0011-workflow-search.ts';
import { sourceKeys } from './migrations/0012-source-keys.ts';
import { conversationSettings } from './migrations/0013-conversation-settings.ts';
import { usageAndPrompts } from './migrations/0014-usage-and-prompts.ts';
import { cluster } from './migrations/0015-cluster.ts';

export type { Migration } from './migrations/migration.ts';

export const migrations: readonly Migration[] = [
  first,
  pluginDatabases,
  pluginStore,
  memories,
  conversations,
  agentRuns,
  workflows,
  schedules,
  notices,
  messageVersions,
  workflowSearch,
  sourceKeys,
  conversationSettings,
  usageAndPrompts,
  cluster,
];

/** Options of `migrate`. */
export interface MigrationOptions {
  /** Called before the schema of an earlier release is changed; `from` names its last migration. */
  beforeUpgrade?: (from: string) => Promise<void>;
  /** For tests: the migrations of another release. */
  available?: readonly Migration[];
}

/**
 * Brings the schema to this release. @throws HostError `schema_newer` if a newer release created
 * it, `schema_foreign` if a table of another program is in the way; the schema then stays unchanged
 */
export async function migrate(database: Database, options: MigrationOptions = {}): Promise<void> {
  const { available = migrations, beforeUpgrade } = options;
  const done = await appliedMigrations(database);
  await refuseUnfit({ applied: done, columns: () => columnsIn(database) }, available);
  if (available.every(({ name }) => done.includes(name))) return;
  const last = done.at(-1);
  if (last !== undefined) await beforeUpgrade?.(last);
  await apply(database, available);
}

async function apply(database: Database, available: readonly Migration[]): Promise<void> {
  // Imported only if there is something to migrate, so that an ordinary start is faster.
  const { SequelizeStorage, Umzug } = await import('umzug');
  const { sequelize, type } = database;
  const tables = sequelize.getQueryInterface();
  const context: MigrationContext = {
    createTable: (name, columns, unique = {}) =>
      tables.createTable(name, columns, { ...tableOptionsOf(type), uniqueKeys: keysOf(unique) }),
    tables,
    execute: (sql) => sequelize.query(sql),
    rows: <T extends object>(sql: string) => sequelize.query<T>(sql, { type: QueryTypes.SELECT }),
    asText: (column, length) => castToText(type, column, length),
    types: DataTypes,
    longText: longTextOf(type),
  };
  const umzug = new Umzug({
    migrations: available.map(({ name, up }) => ({ name, up: () => up(context) })),
    storage: new SequelizeStorage({ sequelize }),
    logger: undefined,
  });
  await umzug.up();
}

const keysOf = (unique: UniqueKeys) =>
  Object.fromEntries(
    Object.entries(unique).map(([name, fields]) => [name, { fields, customIndex: true }]),
  );

export function columnsIn({
  sequelize,
  type,
}: Pick<Database, 'sequelize' | 'type'>): Promise<FoundColumn[]> {
  return sequelize.query<FoundColumn>(columnsSql[type], { type: QueryTypes.SELECT });
}

/** Names in order; empty for an empty database. */
export async function appliedMigrations({
  sequelize,
}: Pick<Database, 'sequelize'>): Promise<string[]> {
  const tables = sequelize.getQueryInterface();
  const sql = `SELECT name FROM ${tables.quoteIdentifier(journalTable)} ORDER BY name`;
  try {
    const rows = await sequelize.query<{ name: string }>(sql, { type: QueryTypes.SELECT });
    return rows.map(({ name }) => name);
  } catch (error) {
    if (await tables.tableExists(journalTable)) throw error;
    return [];
  }
}
