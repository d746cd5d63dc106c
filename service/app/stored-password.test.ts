import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getProperties } from 'properties-file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api, type SetupStatus } from '../contract/index.ts';
import { createSecrets } from '../platform/secrets.ts';
import { startTestHost, type TestHost } from '../testing/test-host.ts';
import { hostPaths, type HostPaths } from './index.ts';

const machineKey = 'the key of this machine';
const password = 'hunter2-in-the-clear';
const closedPort = 'jdbc:postgresql://127.0.0.1:1/db';

let workDirectory: string;
let paths: HostPaths;
let test: TestHost | undefined;
beforeEach(async () => {
  workDirectory = await mkdtemp(join(tmpdir(), 'stored-password-'));
  paths = hostPaths(workDirectory);
  await mkdir(paths.config, { recursive: true });
});
afterEach(async () => {
  await test?.stop();
  test = undefined;
  await rm(workDirectory, { recursive: true, force: true });
});

async function start(key = machineKey): Promise<SetupStatus> {
  await test?.stop();
  test = await startTestHost({ workDirectory, setup: null, machineKey: key });
  return test.client.call(api.setup.status);
}
const contentOf = (name: string): Promise<string> => readFile(join(paths.config, name), 'utf8');
const configFiles = async (): Promise<string[]> => (await readdir(paths.config)).sort();

describe('a plain text password', () => {
  it.each([
    ['as a key', `db.url=${closedPort}\ndb.password=${password}\n`],
    ['in the URL', `db.url=${closedPort}?password=${password}\n`],
    ['before the host', `db.url=jdbc:postgresql://u:${password}@127.0.0.1:1/db\n`],
  ])(
    'is encrypted at the first start, and gets into no backup: %s [SECRET-01]',
    async (_, lines) => {
      await writeFile(paths.dataSource, `# mine\ndb.type=POSTGRESQL\n${lines}other.key = 7\n`);
      for (let launch = 0; launch < 2; launch += 1) {
        expect((await start()).reason).toMatchObject({ code: 'connection_failed' });
        expect(await configFiles()).toEqual(['datasource.properties', 'datasource.properties.bak']);
        for (const name of await configFiles()) {
          const text = await contentOf(name);
          expect(text).not.toContain(password);
          expect(text).toMatch(/^# mine\n[^]*other\.key = 7\n/);
          const stored = getProperties(text)['db.password'] ?? '';
          expect(createSecrets(machineKey).decrypt('datasource', stored)).toBe(password);
          expect((await stat(join(paths.config, name))).mode & 0o777).toBe(0o600);
        }
      }
    },
  );

  it('of a configuration whose address is wrong is encrypted as well', async () => {
    const text = `db.type=MYSQL\ndb.url=nonsense\ndb.password=${password}\n`;
    await writeFile(paths.dataSource, text);
    expect((await start()).reason).toMatchObject({ code: 'broken_configuration' });
    for (const name of await configFiles()) expect(await contentOf(name)).not.toContain(password);
  });
});

describe('a password that the key of this machine cannot read', () => {
  it('leads to SETUP with the reason; the file stays, and the earlier key makes it readable again [SECRET-11, SETUP-13]', async () => {
    const sealed = createSecrets(machineKey).encrypt('datasource', password);
    const text = `db.type=POSTGRESQL\ndb.url=${closedPort}\ndb.username=u\ndb.password=${sealed}\n`;
    await writeFile(paths.dataSource, text);
    for (let launch = 0; launch < 3; launch += 1) {
      const { reason, previous } = await start('another key of this machine');
      expect(reason).toMatchObject({
        code: 'secret_unreadable',
        message: expect.stringContaining('the password must be entered again') as unknown,
      });
      expect(previous).toMatchObject({ type: 'POSTGRESQL', backup: 'datasource.properties.bak' });
      const again = await test!.ask('/api/setup/continue', { method: 'POST' });
      expect([again.status, again.json()]).toMatchObject([422, { code: 'secret_unreadable' }]);
      expect(await configFiles()).toEqual(['datasource.properties', 'datasource.properties.bak']);
      for (const name of await configFiles()) expect(await contentOf(name)).toBe(text);
    }
    expect((await start()).reason).toMatchObject({ code: 'connection_failed' });
    expect(await contentOf('datasource.properties')).toBe(text);
  });
});
