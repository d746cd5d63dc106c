import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { hostPaths, makeFolders } from './paths.ts';

it('everything lies below .host of the working directory [SETUP-16, SETUP-17, SECRET-05]', () => {
  const { workDirectory, ...paths } = hostPaths(join('/', 'work'));
  const entries = Object.fromEntries(
    Object.entries(paths).map(([name, path]) => [
      name,
      relative(workDirectory, path).split(/[\\/]/),
    ]),
  );
  expect(entries).toEqual({
    host: ['.host'],
    developer: ['.host', 'dev.json'],
    unpacked: ['.host', 'unpacked.json'],
    config: ['.host', 'config'],
    dataSource: ['.host', 'config', 'datasource.properties'],
    machineId: ['.host', 'config', '.machineid'],
    hostId: ['.host', 'config', '.hostid'],
    lastDatabase: ['.host', 'last-database.json'],
    database: ['.host', 'database'],
    plugins: ['.host', 'plugins'],
    pluginData: ['.host', 'plugin-data'],
    pluginConfig: ['.host', 'config', 'plugins'],
    staging: ['.host', 'staging'],
    browser: ['.host', 'browser'],
    snapshots: ['.host', 'backups', 'snapshots'],
    updates: ['.host', 'updates'],
    logs: ['.host', 'logs'],
    workspace: ['.host', 'workspace'],
    mcp: ['.host', 'mcp'],
    store: ['.host', 'store'],
  });
});

it('the folders are created for the owner only, and a repetition changes nothing', async () => {
  const workDirectory = await mkdtemp(join(tmpdir(), 'paths-'));
  const paths = hostPaths(join(workDirectory, 'not', 'there', 'yet'));
  await makeFolders(paths);
  const made = [
    paths.host,
    paths.config,
    paths.database,
    paths.plugins,
    paths.pluginData,
    paths.staging,
  ];
  for (const path of made) expect((await stat(path)).mode & 0o777, path).toBe(0o700);
  await chmod(paths.plugins, 0o755);
  await makeFolders(paths);
  expect((await stat(paths.plugins)).mode & 0o777).toBe(0o755);
  await rm(workDirectory, { recursive: true });
});
