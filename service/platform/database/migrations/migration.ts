import type { DataTypes, QueryInterface } from 'sequelize';

export interface MigrationContext {
  tables: QueryInterface;
  types: typeof DataTypes;
}

/**
 * Forward only: a released migration is never changed, and there is no way down. A host that was
 * killed in the middle of one runs it again from its start, so each step must bear that.
 */
export interface Migration {
  name: string;
  up: (context: MigrationContext) => Promise<void>;
}
