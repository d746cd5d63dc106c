import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { api, PluginManifest } from '../../../contract/index.ts';
import {
  databasePackage,
  installDatabasePlugin,
  queryAs,
  variablesOf,
} from '../../../testing/database-plugin.ts';
import { installSample, invoke } from '../../../testing/sample-plugin.ts';
import { startTestHost } from '../../../testing/test-host.ts';
import { embeddedPluginDatabases } from './embedded-plugin-databases.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const host = await useForFile(startTestHost());

const uninstall = (id: string, deleteData: 'true' | 'false') =>
  host.client.call(api.market.uninstall, { params: { id }, query: { deleteData } });

it('on SQLite is a file in the data directory, without any permission', async () => {
  const id = 'acme.notes';
  await installDatabasePlugin(host, { id, permissions: [] });
  const folder = join(host.paths.pluginData, id, 'database');
  expect(await variablesOf(host, id)).toEqual({
    HOST_PLUGIN_DB_TYPE: 'SQLITE',
    HOST_PLUGIN_DB_URL: `jdbc:sqlite:${join(folder, 'plugin.db')}`,
    HOST_PLUGIN_DB_USERNAME: '',
    HOST_PLUGIN_DB_PASSWORD: '',
  });
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await queryAs(host, id, 'CREATE TABLE notes (text TEXT)', `INSERT INTO notes VALUES ('one')`);
  expect(await readdir(folder)).toEqual(['plugin.db']);
});

it('is kept and deleted with the data of the plugin', async () => {
  const id = 'acme.kept';
  const notes = (): Promise<unknown> => queryAs(host, id, 'SELECT text FROM notes');
  await installDatabasePlugin(host, { id });
  await queryAs(host, id, 'CREATE TABLE notes (text TEXT)', `INSERT INTO notes VALUES ('one')`);
  await uninstall(id, 'false');
  await installDatabasePlugin(host, { id });
  expect(await notes()).toEqual([{ text: 'one' }]);
  await uninstall(id, 'true');
  await installDatabasePlugin(host, { id });
  await expect(notes()).rejects.toThrow(/no such table/);
});

it('is not provided to a plugin that does not request it', async () => {
  await installSample(host, { manifest: { id: 'acme.plain', permissions: ['network'] } });
  const environment = (await invoke(host, 'acme.plain', 'environment')) as object;
  expect(Object.keys(environment).filter((name) => name.includes('DB'))).toEqual([]);
  expect(await readdir(join(host.paths.pluginData, 'acme.plain'))).toEqual([]);
});

it('on H2 is a file that only the owner of the data directory can read', async () => {
  const databases = embeddedPluginDatabases('H2', (id) => join(host.workDirectory, id));
  const listed = (await host.client.call(api.market.list)).find(({ id }) => id === 'acme.notes');
  const manifest = PluginManifest.parse(listed?.manifest);
  expect(await databases.variablesOf(manifest, (path) => path)).toEqual({
    HOST_PLUGIN_DB_TYPE: 'H2',
    HOST_PLUGIN_DB_URL: `jdbc:h2:file:${join(host.workDirectory, 'acme.notes', 'database', 'plugin')}`,
    HOST_PLUGIN_DB_USERNAME: 'sa',
    HOST_PLUGIN_DB_PASSWORD: '',
  });
});

it('is reported when a package is inspected', async () => {
  const file = new Blob([new Uint8Array(await databasePackage())]);
  expect(await host.client.call(api.market.inspect, { file, fields: {} })).toMatchObject({
    database: true,
  });
});
