import { journalTable } from './schema-columns.ts';

/** For PostgreSQL, as `allowed`: the owner of a table has all privileges on it. */
export const mayMakeTablesSql = `SELECT has_schema_privilege(current_schema(), 'CREATE') AS allowed`;

/**
 * For PostgreSQL: a standby server or read-only role cannot create tables, regardless of the
 * schema.
 */
export const readOnlySql = `SELECT current_setting('transaction_read_only') = 'on' AS read_only`;

/** For PostgreSQL, as `allowed`: tables of another role stay its own. */
export const mayUseTablesSql = `SELECT COALESCE(bool_and(has_table_privilege(c.oid, "right")), true) AS allowed
  FROM pg_class c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS "right"
  WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relname = '${journalTable}'`;

/** MySQL has no query for all privileges together, so a table is created for a trial. */
export const trialTableSql = (table: string): { use: string[]; drop: string } => ({
  use: [
    `CREATE TABLE ${table} (id INTEGER PRIMARY KEY, name VARCHAR(10))`,
    `ALTER TABLE ${table} ADD COLUMN more INTEGER`,
    `CREATE INDEX ${table}_name ON ${table} (name)`,
    `INSERT INTO ${table} (id, name) VALUES (1, 'one')`,
    `UPDATE ${table} SET name = 'two' WHERE id = 1`,
    `SELECT name FROM ${table}`,
    `DELETE FROM ${table}`,
  ],
  drop: `DROP TABLE IF EXISTS ${table}`,
});
