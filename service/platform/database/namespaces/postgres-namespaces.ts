import { connectionFailed } from '../connection-failed.ts';
import { mayMakeTablesSql } from '../rights-sql.ts';
import { msg } from '../../../messages/index.ts';
import { lockWaitSeconds, maxConnections } from './namespace-limits.ts';
import type { Namespace, NamespaceDialect, NamespaceNames } from './namespace.ts';
import { scramVerifier } from './scram-verifier.ts';
import { type Ask, MissingRight, type Run } from './server-session.ts';

const statementSeconds = 10;

/** A namespace is a schema in the host's database, created in a transaction. */
export const postgresNamespaces: NamespaceDialect = {
  make: (ask, namespace) =>
    ask(async (run) => {
      const { name, username } = namespace;
      await setLockTimeout(run);
      await makeLogin(run, namespace);
      await run(`CREATE SCHEMA IF NOT EXISTS "${name}"`, 'CREATE on the database');
      const owner = `ownership of the schema ${name}`;
      await run(`GRANT USAGE, CREATE ON SCHEMA "${name}" TO "${username}"`, owner);
      await run(`ALTER ROLE "${username}" SET search_path = "${name}"`, 'CREATEROLE');
      await grantConnect(run, username);
      await closeSharedSchemas(run);
    }),
  async drop(ask, names) {
    if (await ask((run) => hasLogin(run, names))) await endLogin(ask, names);
    await ask(async (run) => {
      await setLockTimeout(run);
      const owner = `ownership of the schema ${names.name}`;
      await run(`DROP SCHEMA IF EXISTS "${names.name}" CASCADE`, owner);
    });
    await ask((run) => dropLogin(run, names));
  },
  async checkFromInside(database) {
    const [row] = await database.select<{ allowed: unknown }>(mayMakeTablesSql);
    if (row?.allowed !== true) throw connectionFailed(msg('database.pluginSchemaMissing'));
  },
  configOf: (host, { username, password }) => ({ ...host, username, password }),
  urlParameter: ({ name }) => `currentSchema=${name}`,
};

async function setLockTimeout(run: Run): Promise<void> {
  await run(`SET LOCAL lock_timeout = '${lockWaitSeconds}s'`);
  await run(`SET LOCAL statement_timeout = '${statementSeconds}s'`);
}

async function hasLogin(run: Run, { username }: NamespaceNames): Promise<boolean> {
  const rows = await run(`SELECT 1 FROM pg_roles WHERE rolname = '${username}'`);
  return rows.length > 0;
}

async function makeLogin(run: Run, namespace: Namespace): Promise<void> {
  const verb = (await hasLogin(run, namespace)) ? 'ALTER' : 'CREATE';
  const { username, password } = namespace;
  const verifier = await scramVerifier(password);
  const may = `LOGIN CONNECTION LIMIT ${maxConnections} PASSWORD '${verifier}'`;
  await run(`${verb} ROLE "${username}" ${may}`, 'CREATEROLE');
}

/** No effect if everyone is allowed to connect. */
async function grantConnect(run: Run, username: string): Promise<void> {
  const [database] = await run('SELECT quote_ident(current_database()) AS name');
  const right = 'CONNECT on the database with GRANT OPTION';
  await run(`GRANT CONNECT ON DATABASE ${String(database?.['name'])} TO "${username}"`, right);
}

/**
 * Before PostgreSQL 15, everyone can create functions and tables in a schema that the host
 * searches, and so run code as the host.
 */
async function closeSharedSchemas(run: Run): Promise<void> {
  const open = `SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE nspname = ANY (current_schemas(false)) AND has_schema_privilege('public', oid, 'CREATE')`;
  for (const { name } of await run(open)) {
    await run(`REVOKE CREATE ON SCHEMA ${String(name)} FROM PUBLIC`, ownership(name));
  }
  const [remaining] = await run(open);
  if (remaining) throw new MissingRight(ownership(remaining['name']));
}

const ownership = (schema: unknown): string =>
  `ownership of the schema ${String(schema)}, for REVOKE CREATE ON SCHEMA ${String(schema)} FROM PUBLIC`;

/** Disables the login, even if it cannot be dropped. */
async function endLogin(ask: Ask, { username }: NamespaceNames): Promise<void> {
  await ask((run) => run(`ALTER ROLE "${username}" NOLOGIN`, 'CREATEROLE'));
  const sessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${username}'`;
  // Remaining sessions of the worker usually end by themselves.
  await ask(async (run) => {
    await joinRole(run, username);
    await run(sessions);
  }).catch(() => undefined);
}

async function dropLogin(run: Run, names: NamespaceNames): Promise<void> {
  if (!(await hasLogin(run, names))) return;
  const { username } = names;
  await setLockTimeout(run);
  await joinRole(run, username);
  await run(`DROP OWNED BY "${username}" CASCADE`, `membership in the role ${username}`);
  await run(`DROP ROLE "${username}"`, 'CREATEROLE');
}

/** Only members of a role can end its sessions. */
const joinRole = (run: Run, username: string): Promise<unknown> =>
  run(`GRANT "${username}" TO CURRENT_USER`, `ADMIN OPTION on the role ${username}`);
