import type { DataTypes, QueryInterface } from 'sequelize';

export interface MigrationContext {
  tables: QueryInterface;
  types: typeof DataTypes;
}

/** Forward only: a released migration is never changed, and there is no way down. */
export interface Migration {
  name: string;
  up: (context: MigrationContext) => Promise<void>;
}
