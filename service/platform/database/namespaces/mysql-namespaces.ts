import type { NamespaceDialect, NamespaceNames } from './namespace.ts';
import { lockWaitSeconds, maxConnections } from './namespace-limits.ts';
import type { Run } from './server-session.ts';

/** No EVENT: events of the server would continue after the worker has ended. */
const rights =
  'SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX, REFERENCES, CREATE TEMPORARY TABLES, ' +
  'LOCK TABLES, CREATE VIEW, SHOW VIEW, CREATE ROUTINE, ALTER ROUTINE, EXECUTE, TRIGGER';

const grantTarget = 'on the databases `plugin\\_%`';

/**
 * A namespace is a database. MySQL cannot roll back these statements, so each step is repeatable.
 */
export const mysqlNamespaces: NamespaceDialect = {
  make: (ask, namespace) =>
    ask(async (run) => {
      const { name, password } = namespace;
      const login = loginOf(namespace);
      await setLockTimeout(run);
      await run(
        `CREATE DATABASE IF NOT EXISTS \`${name}\` CHARACTER SET utf8mb4`,
        `CREATE ${grantTarget}`,
      );
      const secret = `${login} IDENTIFIED BY '${password}'`;
      await run(`CREATE USER IF NOT EXISTS ${secret}`, 'CREATE USER');
      const limit = `WITH MAX_USER_CONNECTIONS ${maxConnections}`;
      await run(`ALTER USER ${secret} ${limit}`, 'CREATE USER');
      const grant = `GRANT ${rights} ON \`${patternOf(name)}\`.* TO ${login}`;
      await run(grant, `GRANT OPTION, with ${rights}, ${grantTarget}`);
    }),
  drop: (ask, names) =>
    ask(async (run) => {
      await setLockTimeout(run);
      await run(`DROP USER IF EXISTS ${loginOf(names)}`, 'CREATE USER');
      await endSessions(run, names);
      await run(`DROP DATABASE IF EXISTS \`${names.name}\``, `DROP ${grantTarget}`);
    }),
  // Privileges are granted last, and are needed for a connection.
  checkFromInside: () => Promise.resolve(),
  configOf: (host, { name, username, password }) => ({
    ...host,
    database: name,
    username,
    password,
  }),
  urlParameter: () => null,
};

const loginOf = ({ username }: NamespaceNames): string => `'${username}'@'%'`;

/** In a GRANT, an underscore matches any character. */
const patternOf = (name: string): string => name.replaceAll('_', '\\_');

const setLockTimeout = (run: Run): Promise<unknown> =>
  run(`SET SESSION lock_wait_timeout = ${lockWaitSeconds}`);

/**
 * Ends remaining sessions of the worker. They may end meanwhile, and the host may not be allowed to
 * see them.
 */
async function endSessions(run: Run, { username }: NamespaceNames): Promise<void> {
  const list = `SELECT id AS id FROM information_schema.processlist WHERE user = '${username}'`;
  const sessions = await run(list).catch(() => []);
  for (const { id } of sessions) await run(`KILL ${Number(id)}`).catch(() => undefined);
}
