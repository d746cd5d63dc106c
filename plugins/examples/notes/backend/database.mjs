/**
 * Opens one of the databases that the host may provide, with a common interface: `run(sql, values)`
 * resolves with `{rows, id, changes}`. Statements have a `?` for each value.
 */
export async function openDatabase({
  HOST_PLUGIN_DB_TYPE: type,
  HOST_PLUGIN_DB_URL: url = '',
  HOST_PLUGIN_DB_USERNAME: user,
  HOST_PLUGIN_DB_PASSWORD: password,
}) {
  if (type === 'SQLITE') return openSqlite(url.slice('jdbc:sqlite:'.length));
  const server = type === 'H2' ? null : new URL(url.slice('jdbc:'.length));
  if (type === 'POSTGRESQL') return openPostgres(server, { user, password });
  if (type === 'MYSQL') return openMysql(server, { user, password });
  throw new Error(
    'This plugin keeps its notes in SQLite, MySQL or PostgreSQL. H2 has a driver for Java only.',
  );
}

async function openSqlite(path) {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path);
  return {
    idColumn: 'INTEGER PRIMARY KEY',
    async run(sql, values = []) {
      const statement = database.prepare(sql);
      if (/^select/i.test(sql)) return { rows: statement.all(...values) };
      const { changes, lastInsertRowid } = statement.run(...values);
      return { rows: [], changes: Number(changes), id: Number(lastInsertRowid) };
    },
  };
}

async function openPostgres(server, login) {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    ...login,
    host: server.hostname,
    port: Number(server.port || 5432),
    database: server.pathname.slice(1),
    options: `-c search_path=${server.searchParams.get('currentSchema') ?? 'public'}`,
    max: 4,
  });
  return {
    idColumn: 'SERIAL PRIMARY KEY',
    async run(sql, values = []) {
      let number = 0;
      const numbered = sql.replaceAll('?', () => `$${(number += 1)}`);
      const text = /^insert/i.test(sql) ? `${numbered} RETURNING id` : numbered;
      const { rows, rowCount } = await pool.query(text, values);
      return { rows, changes: rowCount, id: rows[0]?.id };
    },
  };
}

async function openMysql(server, login) {
  const { default: mysql } = await import('mysql2/promise');
  const pool = mysql.createPool({
    ...login,
    host: server.hostname,
    port: Number(server.port || 3306),
    database: server.pathname.slice(1),
    connectionLimit: 4,
  });
  return {
    idColumn: 'INTEGER PRIMARY KEY AUTO_INCREMENT',
    async run(sql, values = []) {
      const [result] = await pool.query(sql, values);
      return Array.isArray(result)
        ? { rows: result }
        : { rows: [], changes: result.affectedRows, id: result.insertId };
    },
  };
}
