import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

const debianPostgres = '/usr/lib/postgresql';

/** Searches PATH, Debian's folders for servers, and the newest PostgreSQL. */
export async function findServerProgram(name: string): Promise<string> {
  const versions = await readdir(debianPostgres).catch((): string[] => []);
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean),
    '/usr/local/sbin',
    '/usr/sbin',
    ...newestFirst.map((version) => join(debianPostgres, version, 'bin')),
  ];
  for (const folder of folders) {
    const file = join(folder, name);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  throw new Error(`${name} was not found: install mariadb-server and postgresql.`);
}
