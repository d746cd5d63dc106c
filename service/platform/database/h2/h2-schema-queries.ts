import type { Row } from './bridge-protocol.ts';

/** A question about the schema, and how the answer looks in PostgreSQL. */
export interface SchemaQuery {
  sql: string;
  values: readonly string[];
  shape?: (rows: Row[]) => Row[];
}

const indexes = `
  SELECT i.index_name AS "name", i.index_type_name AS "kind", c.column_name AS "column",
         c.ordering_specification AS "direction", k.ordinal_position AS "number"
  FROM information_schema.indexes i
  JOIN information_schema.index_columns c
    ON c.index_schema = i.index_schema AND c.index_name = i.index_name
  JOIN information_schema.columns k
    ON k.table_schema = i.table_schema AND k.table_name = i.table_name
   AND k.column_name = c.column_name
  WHERE i.table_schema = SCHEMA() AND i.table_name = $1
  ORDER BY i.index_name, c.ordinal_position`;

const columns = `
  SELECT c.column_name AS "Field", c.column_default AS "Default", c.is_nullable AS "Null",
         c.data_type || CASE WHEN c.character_maximum_length < 1000000000
           THEN '(' || c.character_maximum_length || ')' ELSE '' END AS "Type",
         CAST(NULL AS VARCHAR) AS "special", c.remarks AS "Comment",
         (SELECT 'PRIMARY KEY' FROM information_schema.table_constraints t
          JOIN information_schema.key_column_usage k
            ON k.constraint_schema = t.constraint_schema
           AND k.constraint_name = t.constraint_name
          WHERE t.constraint_type = 'PRIMARY KEY' AND t.table_schema = c.table_schema
            AND t.table_name = c.table_name AND k.column_name = c.column_name) AS "Constraint"
  FROM information_schema.columns c
  WHERE c.table_schema = SCHEMA() AND c.table_name = $1
  ORDER BY c.ordinal_position`;

/** Sequelize asks PostgreSQL's own catalogue; H2 answers from the standard's one. */
export function schemaQuery(sql: string): SchemaQuery | null {
  if (sql.startsWith('SELECT i.relname AS name, ix.indisprimary'))
    return {
      sql: indexes,
      values: [nameIn(sql, /t\.relname = '((?:[^']|'')*)'/)],
      shape: indexRows,
    };
  if (sql.startsWith('SELECT pk.constraint_type as "Constraint"') && sql.includes('pg_enum'))
    return { sql: columns, values: [nameIn(sql, /c\.table_name = '((?:[^']|'')*)'/)] };
  return null;
}

function nameIn(sql: string, pattern: RegExp): string {
  return (pattern.exec(sql)?.[1] ?? '').replaceAll("''", "'");
}

/** One row an index, with its definition in words, from one row a column of it. */
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
