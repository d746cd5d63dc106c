import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getProperties } from 'properties-file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { runH2Shell } from '../../testing/h2-shell.ts';
import { type Answer, startTestHost, type TestHost } from '../../testing/test-host.ts';

let test: TestHost;
beforeEach(async () => {
  test = await startTestHost({ setup: null });
});
afterEach(() => test.close());

const ask = (path: string, params: object): Promise<Answer> =>
  test.ask(`/api/setup/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'H2', params }),
  });
const written = async (): Promise<string> =>
  getProperties(await readFile(test.paths.dataSource, 'utf8'))['db.url'] ?? '';
async function restart(): Promise<void> {
  const { workDirectory } = test;
  await test.stop();
  test = await startTestHost({ workDirectory, setup: null });
}
async function byHand(url: string, more = ''): Promise<void> {
  const { workDirectory } = test;
  await test.stop();
  await writeFile(test.paths.dataSource, `db.type=H2\ndb.url=${url}\n${more}`);
  test = await startTestHost({ workDirectory, setup: null });
}
const themeOf = async (): Promise<string> => (await test.client.call(api.settings.get)).theme;
const darken = () => test.client.call(api.settings.put, { body: { theme: 'dark' } });

describe('the JDBC URL of an H2 database created by the host', () => {
  it.each([{}, { filePath: 'my data/ä = #1' }, { filePath: 'named.mv.db' }])(
    'opens unchanged in the shell of H2: %j [SETUP-20, SETUP-23]',
    async (params) => {
      expect((await ask('initialize', params)).status).toBe(200);
      await darken();
      await test.stop();
      const url = await written();
      for (const sql of ['SELECT * FROM settings', 'SELECT NAME FROM SETTINGS'])
        expect(await runH2Shell(`${url};IFEXISTS=TRUE`, sql)).toContain('theme');
      test = await startTestHost({ workDirectory: test.workDirectory, setup: null });
      expect(await themeOf()).toBe('dark');
      expect(await written()).toBe(url);
    },
  );

  it('opens unchanged with the chosen user and password', async () => {
    const login = { username: 'someone', password: `p'" ä` };
    expect((await ask('initialize', login)).status).toBe(200);
    await test.stop();
    const { username: user, password } = login;
    const counted = await runH2Shell(await written(), 'SELECT COUNT(*) FROM users', {
      user,
      password,
    });
    expect(counted).toContain('1');
  });

  it('is corrected if an earlier release wrote it without its setting', async () => {
    await ask('initialize', {});
    await darken();
    const file = join(test.paths.database, 'host');
    await byHand(`jdbc:h2:file:${file}`, 'db.username=sa\n# mine\n');
    expect(test.host.mode()).toBe('APP');
    expect(await themeOf()).toBe('dark');
    expect(await readFile(test.paths.dataSource, 'utf8')).toContain('# mine');
    await test.stop();
    expect(await runH2Shell(await written(), 'SELECT name FROM settings')).toContain('theme');
  });
});

describe('an H2 database created by H2 itself', () => {
  const make = async (settings: string, name = 'theirs'): Promise<string> => {
    const url = `jdbc:h2:file:${join(test.workDirectory, 'data', name)}${settings}`;
    await mkdir(join(test.workDirectory, 'data'), { recursive: true });
    await runH2Shell(
      url,
      `CREATE TABLE users (id INT PRIMARY KEY, small TINYINT); INSERT INTO users VALUES (5, 1);
       CREATE TABLE mine (name VARCHAR(9)); INSERT INTO mine VALUES ('kept')`,
    );
    return url;
  };

  it.each(['', ';DATABASE_TO_UPPER=FALSE;MODE=MySQL'])(
    'can be used with a configuration written by hand, and remains usable by others: %j [SETUP-20, SETUP-23]',
    async (settings) => {
      const upper = settings === '';
      const url = await make(settings);
      // In lower case, the host would see the tables as its own.
      if (!upper) await runH2Shell(url, 'DROP TABLE users');
      await byHand(url);
      expect((await test.client.call(api.setup.status)).reason).toBeUndefined();
      expect(test.host.mode()).toBe('APP');
      await darken();
      await restart();
      expect(await themeOf()).toBe('dark');
      await test.stop();
      expect(await written()).toBe(url);
      expect(await runH2Shell(url, 'SELECT name FROM mine')).toContain('kept');
      if (upper) expect(await runH2Shell(url, 'SELECT id FROM users')).toContain('5');
      expect(await runH2Shell(url, 'SELECT "name" FROM "settings"')).toContain('theme');
    },
  );

  it('can be used if it folds names to lower case', async () => {
    const url = await make(';DATABASE_TO_LOWER=TRUE');
    await runH2Shell(url, 'DROP TABLE users');
    await byHand(url);
    await darken();
    await test.stop();
    expect(await written()).toBe(url);
    expect(await runH2Shell(url, 'SELECT name FROM mine; SELECT name FROM settings')).toMatch(
      /kept[^]*theme/,
    );
  });

  it('can be chosen in the wizard, and its URL is stored in a form that opens it', async () => {
    const url = await make('');
    const filePath = 'data/theirs';
    expect((await ask('test-connection', { filePath })).json()).toMatchObject({ success: true });
    expect((await ask('initialize', { filePath })).status).toBe(200);
    await test.stop();
    expect(await written()).toBe(url);
    expect(await runH2Shell(url, 'SELECT name FROM mine')).toContain('kept');
  });

  it('that does not exist is created so that the URL written by hand opens it', async () => {
    await byHand('jdbc:h2:file:./data/new');
    expect(test.host.mode()).toBe('APP');
    await test.stop();
    const url = (await written()).replace('./', `${test.workDirectory}/`);
    expect(await runH2Shell(url, 'SELECT COUNT(*) FROM users')).toContain('1');
  });
});

describe('testing an H2 connection', () => {
  it.each(['/proc/nope/x', '/dev/null/x', '/dev'])(
    'refuses what initialize refuses: %s [SETUP-06, SETUP-08]',
    async (filePath) => {
      const file = filePath === '/dev' ? join(test.workDirectory, 'pipe') : filePath;
      if (filePath === '/dev') await mkdir(`${file}.mv.db`);
      const tested = await ask('test-connection', { filePath: file });
      const initialized = await ask('initialize', { filePath: file });
      expect(initialized.status).toBe(422);
      const { success, message } = tested.json() as { success: boolean; message: string };
      expect({ success, detail: message }).toEqual({
        success: false,
        detail: (initialized.json() as { detail: string }).detail,
      });
    },
  );

  it('leaves no file and no folder behind [SETUP-07]', async () => {
    const before = await readdir(test.workDirectory, { recursive: true });
    const filePath = 'new/folder/host';
    expect((await ask('test-connection', { filePath })).json()).toMatchObject({ success: true });
    expect(await readdir(test.workDirectory, { recursive: true })).toEqual(before);
    expect(await readdir(dirname(test.workDirectory))).not.toContain('new');
  });
});
