import { join } from 'node:path';
import { Client } from 'pg';
import { findServerProgram } from './find-server-program.ts';
import {
  type Login,
  type Row,
  type ServerKind,
  admin,
  connectLimitMs,
  firstDatabase,
  queryLimitMs,
  reader,
  stranger,
  tlsOnly,
} from './server-kind.ts';

const fast = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

const access = `
hostssl all ${tlsOnly.username} 127.0.0.1/32 scram-sha-256
host    all ${tlsOnly.username} 127.0.0.1/32 reject
host    all all                 127.0.0.1/32 scram-sha-256
`;

export const postgres: ServerKind = {
  type: 'POSTGRESQL',
  async initialise(workspace) {
    const data = join(workspace.directory, 'data');
    const args = ['-D', data, '-U', admin.username, '-E', 'UTF8', '--locale=C.UTF-8', '-A'];
    args.push('reject', '--no-sync', '--no-instructions', '--wal-segsize=1');
    await workspace.run({ program: await findServerProgram('initdb'), args });
    const program = await findServerProgram('postgres');
    const single = [
      '--single',
      '-D',
      data,
      '-c',
      'fsync=off',
      '-c',
      'exit_on_error=on',
      'postgres',
    ];
    await workspace.run({ program, args: single, input: firstSql });
    await workspace.write(join('data', 'pg_hba.conf'), access);
  },
  async command({ directory }, { port, durable }) {
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      'unix_socket_directories=',
      'max_connections=300',
      'shared_buffers=32MB',
      // In the data directory, so that nothing remains after a kill.
      'dynamic_shared_memory_type=mmap',
      'ssl=on',
      `ssl_cert_file=${join(directory, 'server.pem')}`,
      `ssl_key_file=${join(directory, 'server-key.pem')}`,
      ...(durable ? [] : fast),
    ];
    return {
      program: await findServerProgram('postgres'),
      args: ['-D', join(directory, 'data'), ...settings.flatMap((one) => ['-c', one])],
    };
  },
  stopSignal: 'SIGINT',
  endSignal: 'SIGQUIT',
  portTaken: /Address already in use/,
  async query({ port, database, username, password }, sql) {
    const client = new Client({
      host: '127.0.0.1',
      port,
      database,
      user: username,
      password,
      connectionTimeoutMillis: connectLimitMs,
      query_timeout: queryLimitMs,
    });
    // A query reports a broken connection.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  },
  whichServer: `SELECT current_setting('data_directory') AS data`,
  async makeDatabase(name, query) {
    await query(`CREATE DATABASE ${name}`);
    await query(onlyForUs(name));
  },
  async dropDatabase(name, query) {
    await query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  },
};

/** PostgreSQL lets everybody connect to a new database. */
function onlyForUs(name: string): string {
  return `REVOKE ALL ON DATABASE ${name} FROM PUBLIC; GRANT CONNECT ON DATABASE ${name} TO ${reader.username}`;
}

/**
 * One statement per line. `tls_only` is a member of `admin` and so has the permissions of database
 * owners.
 */
const firstSql = [
  `ALTER ROLE ${admin.username} PASSWORD ${quoted(admin.password)}`,
  createUser(tlsOnly),
  createUser(reader),
  createUser(stranger),
  `GRANT ${admin.username} TO ${tlsOnly.username}`,
  `GRANT pg_read_all_data TO ${reader.username}`,
  `CREATE DATABASE ${firstDatabase}`,
  ...[firstDatabase, 'postgres', 'template1'].map(onlyForUs),
]
  .map((statement) => `${statement};\n`)
  .join('');

function createUser({ username, password }: Login): string {
  return `CREATE ROLE ${username} LOGIN PASSWORD ${quoted(password)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
