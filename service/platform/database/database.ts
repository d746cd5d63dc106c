import type { Sequelize } from 'sequelize';
import type { DatabaseConfig } from './database-config.ts';

/** An open database. Stores define their models on `sequelize`, which belongs to this connection alone. */
export interface Database {
  type: DatabaseConfig['type'];
  sequelize: Sequelize;
  serverVersion: string;
  close(): Promise<void>;
}
