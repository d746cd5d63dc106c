import { DataTypes, QueryTypes } from 'sequelize';
import type { Database } from './database.ts';
import type { Migration, MigrationContext } from './migrations/migration.ts';
import { first } from './migrations/0001-first.ts';

const migrations: readonly Migration[] = [first];

/** Brings the schema to this release. */
export async function migrate(database: Database): Promise<void> {
  const { sequelize } = database;
  if (await isCurrent(database)) return;
  // Loaded only when there is work: an ordinary start does not pay for it.
  const { SequelizeStorage, Umzug } = await import('umzug');
  const context: MigrationContext = { tables: sequelize.getQueryInterface(), types: DataTypes };
  const umzug = new Umzug({
    migrations: migrations.map(({ name, up }) => ({ name, up: () => up(context) })),
    storage: new SequelizeStorage({ sequelize }),
    logger: undefined,
  });
  await umzug.up();
}

async function isCurrent({ sequelize }: Database): Promise<boolean> {
  try {
    const rows = await sequelize.query<{ name: string }>('SELECT name FROM "SequelizeMeta"', {
      type: QueryTypes.SELECT,
    });
    const done = new Set(rows.map(({ name }) => name));
    return migrations.every(({ name }) => done.has(name));
  } catch {
    return false;
  }
}
