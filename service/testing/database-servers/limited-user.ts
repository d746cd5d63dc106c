import { randomBytes } from 'node:crypto';
import type { DatabaseConfig } from '../../platform/database/database-config.ts';
import type { DatabaseServer } from './database-server.ts';

/** A user who owns one database and has only granted permissions. */
export interface LimitedUser {
  config: DatabaseConfig;
  /** PostgreSQL: attributes such as `CREATEROLE`. MySQL: the part between GRANT and TO. */
  grant(right: string): Promise<void>;
  /** PostgreSQL: attributes such as `NOCREATEROLE`. MySQL: the part between REVOKE and FROM. */
  revoke(right: string): Promise<void>;
}

export async function makeLimitedUser(server: DatabaseServer): Promise<LimitedUser> {
  const username = `limited_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  const database = await server.makeDatabase();
  const isMysql = server.type === 'MYSQL';
  const login = `'${username}'@'%'`;
  if (isMysql) {
    await server.adminQuery(`CREATE USER ${login} IDENTIFIED BY '${password}'`);
    await server.adminQuery(`GRANT ALL ON \`${database}\`.* TO ${login}`);
  } else {
    await server.adminQuery(`CREATE ROLE ${username} LOGIN PASSWORD '${password}'`);
    await server.adminQuery(`ALTER DATABASE ${database} OWNER TO ${username}`);
  }
  const change = async (mysql: string, attribute: string): Promise<void> => {
    await server.adminQuery(isMysql ? mysql : `ALTER ROLE ${username} ${attribute}`);
  };
  return {
    config: server.config({ database, username, password }),
    grant: (right) => change(`GRANT ${right} TO ${login}`, right),
    revoke: (right) => change(`REVOKE ${right} FROM ${login}`, right),
  };
}
