// A worker that uses its database as an author would. Packing inserts the path of the drivers.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire('MODULES');
const {
  HOST_PLUGIN_DB_TYPE,
  HOST_PLUGIN_DB_URL,
  HOST_PLUGIN_DB_USERNAME,
  HOST_PLUGIN_DB_PASSWORD,
} = process.env;

const open = {
  async POSTGRESQL(address, login) {
    const { Client } = require('pg');
    const schema = address.searchParams.get('currentSchema');
    const client = new Client({ ...login, options: `-c search_path=${schema}` });
    await client.connect();
    return {
      query: async (sql) => (await client.query(sql)).rows,
      close: () => client.end(),
    };
  },
  async MYSQL(_address, login) {
    const connection = await require('mysql2/promise').createConnection(login);
    return {
      query: async (sql) => (await connection.query(sql))[0],
      close: () => connection.end(),
    };
  },
  async SQLITE() {
    const { Database } = require('sqlite3');
    const file = HOST_PLUGIN_DB_URL.slice('jdbc:sqlite:'.length);
    const database = await new Promise((resolve, reject) => {
      const made = new Database(file, (error) => (error ? reject(error) : resolve(made)));
    });
    return {
      query: (sql) =>
        new Promise((resolve, reject) =>
          database.all(sql, (error, rows) => (error ? reject(error) : resolve(rows))),
        ),
      close: () => new Promise((resolve) => database.close(resolve)),
    };
  },
};

const methods = {
  variables: () =>
    Object.fromEntries(
      Object.entries(process.env).filter(([name]) => name.startsWith('HOST_PLUGIN_DB_')),
    ),
  commandLine: () => [...process.execArgv, ...process.argv],
  async query({ sql }) {
    const embedded = HOST_PLUGIN_DB_TYPE === 'SQLITE';
    const address = embedded ? null : new URL(HOST_PLUGIN_DB_URL.slice('jdbc:'.length));
    const login = embedded
      ? null
      : {
          host: address.hostname,
          port: Number(address.port),
          database: address.pathname.slice(1),
          user: HOST_PLUGIN_DB_USERNAME,
          password: HOST_PLUGIN_DB_PASSWORD,
        };
    const connection = await open[HOST_PLUGIN_DB_TYPE](address, login);
    try {
      const rows = [];
      for (const one of [sql].flat()) rows.push(await connection.query(one));
      return rows.at(-1);
    } finally {
      await connection.close();
    }
  },
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const send = (answer) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  try {
    send({ result: (await methods[method]?.(params)) ?? null });
  } catch (error) {
    send({ error: { code: -1, message: error.message } });
  }
});
