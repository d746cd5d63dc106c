import type { Row } from './bridge-protocol.ts';

/** A query about the schema, and the conversion of its result to PostgreSQL's format. */
export interface SchemaQuery {
  sql: string;
  values: readonly string[];
  shape?: (rows: Row[]) => Row[];
}

// Aliases are quoted, since unquoted names are in upper case in some files.
const indexes = `
  SELECT I.INDEX_NAME AS "name", I.INDEX_TYPE_NAME AS "kind", C.COLUMN_NAME AS "column",
         C.ORDERING_SPECIFICATION AS "direction", K.ORDINAL_POSITION AS "number"
  FROM INFORMATION_SCHEMA.INDEXES I
  JOIN INFORMATION_SCHEMA.INDEX_COLUMNS C
    ON C.INDEX_SCHEMA = I.INDEX_SCHEMA AND C.INDEX_NAME = I.INDEX_NAME
  JOIN INFORMATION_SCHEMA.COLUMNS K
    ON K.TABLE_SCHEMA = I.TABLE_SCHEMA AND K.TABLE_NAME = I.TABLE_NAME
   AND K.COLUMN_NAME = C.COLUMN_NAME
  WHERE I.TABLE_SCHEMA = SCHEMA() AND I.TABLE_NAME = $1
  ORDER BY I.INDEX_NAME, C.ORDINAL_POSITION`;

const columns = `
  SELECT C.COLUMN_NAME AS "Field", C.COLUMN_DEFAULT AS "Default", C.IS_NULLABLE AS "Null",
         C.DATA_TYPE || CASE WHEN C.CHARACTER_MAXIMUM_LENGTH < 1000000000
           THEN '(' || C.CHARACTER_MAXIMUM_LENGTH || ')' ELSE '' END AS "Type",
         CAST(NULL AS VARCHAR) AS "special", C.REMARKS AS "Comment",
         (SELECT 'PRIMARY KEY' FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS T
          JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE K
            ON K.CONSTRAINT_SCHEMA = T.CONSTRAINT_SCHEMA
           AND K.CONSTRAINT_NAME = T.CONSTRAINT_NAME
          WHERE T.CONSTRAINT_TYPE = 'PRIMARY KEY' AND T.TABLE_SCHEMA = C.TABLE_SCHEMA
            AND T.TABLE_NAME = C.TABLE_NAME AND K.COLUMN_NAME = C.COLUMN_NAME) AS "Constraint"
  FROM INFORMATION_SCHEMA.COLUMNS C
  WHERE C.TABLE_SCHEMA = SCHEMA() AND C.TABLE_NAME = $1
  ORDER BY C.ORDINAL_POSITION`;

const tableNames = `
  SELECT TABLE_NAME AS "table_name" FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = SCHEMA()`;

/**
 * Returns the query on the standard information schema for Sequelize's query on PostgreSQL's
 * catalog; null for other statements.
 */
export function schemaQuery(sql: string): SchemaQuery | null {
  if (sql.startsWith('SELECT i.relname AS name, ix.indisprimary'))
    return {
      sql: indexes,
      values: [nameIn(sql, /t\.relname = '((?:[^']|'')*)'/)],
      shape: indexRows,
    };
  if (sql.startsWith('SELECT pk.constraint_type as "Constraint"') && sql.includes('pg_enum'))
    return { sql: columns, values: [nameIn(sql, /c\.table_name = '((?:[^']|'')*)'/)] };
  if (sql.startsWith('SELECT table_name FROM information_schema.tables WHERE table_schema =')) {
    if (sql.includes('table_type LIKE'))
      return { sql: `${tableNames} AND TABLE_TYPE LIKE '%TABLE'`, values: [] };
    const name = nameIn(sql, / table_name = '((?:[^']|'')*)'/);
    return { sql: `${tableNames} AND TABLE_NAME = $1`, values: [name] };
  }
  return null;
}

function nameIn(sql: string, pattern: RegExp): string {
  return (pattern.exec(sql)?.[1] ?? '').replaceAll("''", "'");
}

/** Converts one row per column of an index to one row per index, with its definition as SQL. */
function indexRows(rows: Row[]): Row[] {
  const grouped = Map.groupBy(rows, ({ name }) => name as string);
  return [...grouped].map(([name, parts]) => {
    const quoted = parts.map(({ column }) => `"${String(column).replaceAll('"', '')}"`);
    const ordered = parts.map(
      ({ direction }, index) => `${quoted[index] ?? ''} ${String(direction)}`,
    );
    const kind = parts[0]?.['kind'];
    return {
      name,
      primary: kind === 'PRIMARY KEY',
      unique: kind === 'PRIMARY KEY' || kind === 'UNIQUE INDEX',
      indkey: parts.map(({ number }) => String(number)).join(' '),
      column_indexes: parts.map(({ number }) => number),
      column_names: `{${quoted.join(',')}}`,
      definition: `CREATE INDEX ON USING btree (${ordered.join(',')})`,
    };
  });
}
