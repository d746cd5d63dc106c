import { expect, it } from 'vitest';
import { databaseServers } from '../../service/testing/database-servers/index.ts';
import { docPages } from './pages.ts';

const [statements] = docPages()
  .flatMap(({ blocks }) => blocks)
  .filter(({ language }) => language === 'sql');
const [mysql = [], postgres = []] = (statements?.text ?? '')
  .split('-- PostgreSQL')
  .map((part) =>
    part
      .split('\n')
      .filter((line) => line.endsWith(';') && !line.startsWith('--') && !line.startsWith(';')),
  );

it.each([
  ['MYSQL', mysql, "CREATE USER 'host'@'%' IDENTIFIED BY 'a-password'", "DROP USER 'host'@'%'"],
  ['POSTGRESQL', postgres, "CREATE ROLE host LOGIN PASSWORD 'a-password'", 'DROP ROLE host'],
] as const)('%s takes the statements that give the user of the host its rights', async (...row) => {
  const [type, lines, create, drop] = row;
  const servers = databaseServers();
  const server = await (type === 'MYSQL' ? servers.mariadb() : servers.postgres());
  expect(lines.length).toBeGreaterThan(0);
  await server.adminQuery(create);
  try {
    for (const line of lines) await server.adminQuery(line);
  } finally {
    await server.adminQuery(drop);
  }
});
