import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { findServerProgram } from './find-server-program.ts';
import {
  type Login,
  type ServerKind,
  admin,
  connectLimitMs,
  firstDatabase,
  queryLimitMs,
  reader,
  stranger,
  tlsOnly,
} from './server-kind.ts';

const logSize = '--innodb-log-file-size=32M';
const fast = ['--innodb-flush-log-at-trx-commit=0', '--innodb-flush-method=nosync'];

export const mariadb: ServerKind = {
  type: 'MYSQL',
  async initialise(workspace) {
    const program = await findServerProgram('mariadb-install-db');
    const setup = await workspace.write('first.sql', firstSql);
    const data = join(workspace.directory, 'data');
    const args = ['--no-defaults', `--datadir=${data}`, '--skip-test-db', '--skip-name-resolve'];
    args.push('--auth-root-authentication-method=socket', `--extra-file=${setup}`);
    args.push(logSize, '--innodb-flush-method=nosync');
    await workspace.run({ program, args });
  },
  async command(workspace, { port, durable }) {
    return {
      program: await findServerProgram('mariadbd'),
      args: [
        '--no-defaults',
        `--datadir=${join(workspace.directory, 'data')}`,
        `--tmpdir=${workspace.directory}`,
        '--bind-address=127.0.0.1',
        `--port=${port}`,
        // In the data folder, because the path of a socket must be short.
        '--socket=mariadb.sock',
        '--skip-name-resolve',
        '--max-connections=300',
        '--character-set-server=utf8mb4',
        '--innodb-buffer-pool-size=32M',
        logSize,
        `--ssl-ca=${join(workspace.directory, 'ca.pem')}`,
        `--ssl-cert=${join(workspace.directory, 'server.pem')}`,
        `--ssl-key=${join(workspace.directory, 'server-key.pem')}`,
        ...(durable ? [] : fast),
      ],
    };
  },
  stopSignal: 'SIGTERM',
  endSignal: 'SIGKILL',
  portTaken: /Address already in use/,
  async query({ port, database, username, password }, sql) {
    const connection = await createConnection({
      host: '127.0.0.1',
      port,
      database,
      user: username,
      password,
      connectTimeout: connectLimitMs,
    });
    // A query reports a broken connection.
    connection.on('error', () => undefined);
    try {
      const [rows] = await connection.query<RowDataPacket[]>({ sql, timeout: queryLimitMs });
      return Array.isArray(rows) ? rows : [];
    } finally {
      connection.destroy();
    }
  },
  whichServer: 'SELECT @@datadir AS data',
  async makeDatabase(name, query) {
    await query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  },
  async dropDatabase(name, query) {
    // An open transaction would lock the database indefinitely.
    const open = await query(`SELECT id FROM information_schema.processlist WHERE db = '${name}'`);
    for (const { id } of open) await query(`KILL ${String(id)}`).catch(() => undefined);
    await query(`DROP DATABASE IF EXISTS ${name}`);
  },
};

/** Runs without grant tables, before the first start. */
const firstSql = [
  `DELETE FROM mysql.global_priv`,
  `FLUSH PRIVILEGES`,
  `CREATE DATABASE ${firstDatabase} CHARACTER SET utf8mb4`,
  createUser(admin),
  createUser(tlsOnly, 'REQUIRE SSL'),
  createUser(reader),
  createUser(stranger),
  `GRANT ALL ON *.* TO ${admin.username}@'%' WITH GRANT OPTION`,
  `GRANT ALL ON *.* TO ${tlsOnly.username}@'%'`,
  `GRANT SELECT ON *.* TO ${reader.username}@'%'`,
]
  .map((statement) => `${statement};\n`)
  .join('');

function createUser({ username, password }: Login, tail = ''): string {
  // A hash, so that the encoding of the file does not matter.
  const inner = createHash('sha1').update(password).digest();
  const hash = createHash('sha1').update(inner).digest('hex').toUpperCase();
  return `CREATE USER ${username}@'%' IDENTIFIED BY PASSWORD '*${hash}' ${tail}`;
}
