import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getProperties } from 'properties-file';
import { QueryTypes } from 'sequelize';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../client/index.ts';
import { api, DatabaseForm, type Endpoint, SetupStatus } from '../../contract/index.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { openDatabase } from '../../platform/database/open-database.ts';
import { type Answer, startTestHost, type TestHost } from '../../testing/test-host.ts';

let test: TestHost;
beforeEach(async () => {
  test = await startTestHost({ setup: null });
});
afterEach(() => test.close());

/** The wizard sends no token. */
const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
  test.ask(`/api/setup/${path}`, {
    method,
    headers: { 'X-Host-Token': '', ...(body ? { 'Content-Type': 'application/json' } : {}) },
    body: body ? JSON.stringify(body) : undefined,
  });
const status = async (): Promise<SetupStatus> =>
  SetupStatus.strict().parse((await ask('GET', 'status')).json());
const initialize = (params = {}): Promise<Answer> =>
  ask('POST', 'initialize', { type: 'SQLITE', params });
const configFiles = async (): Promise<string[]> => (await readdir(test.paths.config)).sort();
const configuration = (): Promise<string> => readFile(test.paths.dataSource, 'utf8');
const databaseFiles = (): Promise<string[]> => readdir(test.paths.database);

/** Creates a database that a later release has upgraded. */
async function makeNewer(filePath: string): Promise<void> {
  const database = await openDatabase({ type: 'SQLITE', filePath });
  await migrate(database);
  const tables = database.sequelize.getQueryInterface();
  await tables.bulkInsert('SequelizeMeta', [{ name: '9999-future' }]);
  await database.close();
}

/** Creates a database of another program, with a table name that the host uses, too. */
async function makeForeign(filePath: string): Promise<void> {
  const database = await openDatabase({ type: 'SQLITE', filePath });
  await database.sequelize.query('CREATE TABLE settings (colour TEXT)');
  await database.close();
}

describe('in SETUP mode', () => {
  it('is the mode of a host without a configuration [SETUP-03, SETUP-04, SETUP-18]', async () => {
    expect(test.host.mode()).toBe('SETUP');
    expect(await status()).toEqual({
      initialized: false,
      supportedTypes: ['H2', 'SQLITE', 'MYSQL', 'POSTGRESQL'],
      embeddedTypes: ['H2', 'SQLITE'],
    });
    expect(await configFiles()).toEqual(['.machineid']);
  });

  it('the wizard and health are available without a token, and nothing else is, with or without one [SETUP-01, AUTH-04]', async () => {
    for (const [method, path] of [
      ['GET', 'status'],
      ['GET', 'types'],
      ['DELETE', 'config'],
    ] as const)
      expect((await ask(method, path)).status, path).toBeLessThan(300);
    expect((await test.ask('/api/health', { headers: { 'X-Host-Token': '' } })).status).toBe(200);
    for (const group of Object.values(api)) {
      for (const { method, path } of Object.values(group as Record<string, Endpoint>)) {
        if (path.startsWith('/api/setup/') || path === '/api/health') continue;
        const answer = await test.ask(path.replace(/\{\*?\w+\}/g, 'x'), { method });
        expect(answer.status, path).toBe(404);
        expect(answer.json(), path).toMatchObject({ code: 'setup_required' });
        if (!path.startsWith('/api/') && !path.startsWith('/actuator/')) continue;
        const headers = { 'X-Host-Token': '' };
        expect((await test.ask(path, { method, headers })).status, path).toBe(401);
      }
    }
  });

  it('each type has a form that can be rendered [SETUP-05, SETUP-18]', async () => {
    const answer = await ask('GET', 'types');
    const forms = DatabaseForm.strict().array().parse(answer.json());
    expect(forms.map(({ type, embedded }) => [type, embedded])).toEqual([
      ['H2', true],
      ['SQLITE', true],
      ['MYSQL', false],
      ['POSTGRESQL', false],
    ]);
    for (const { embedded, fields, label } of forms) {
      expect(label).not.toBe('');
      expect(fields.map(({ name }) => name)).toEqual(
        embedded
          ? ['filePath']
          : ['host', 'port', 'database', 'username', 'password', 'ssl', 'sslCa'],
      );
    }
    expect(forms.find(({ type }) => type === 'SQLITE')).not.toHaveProperty('unavailable');
  });

  it('a working connection is reported with its version, and nothing is stored [SETUP-06, SETUP-07]', async () => {
    for (const params of [
      {},
      { filePath: 'deep/down/new.db' },
      { filePath: join(test.workDirectory, 'a.db') },
    ]) {
      const answer = await ask('POST', 'test-connection', { type: 'SQLITE', params });
      expect(answer.status).toBe(200);
      expect(answer.json()).toEqual({
        success: true,
        serverVersion: expect.stringMatching(/^3\./) as unknown,
        elapsedMs: expect.any(Number) as unknown,
      });
    }
    expect(test.host.mode()).toBe('SETUP');
    expect(await configFiles()).toEqual(['.machineid']);
    expect(await databaseFiles()).toEqual([]);
    expect(await readdir(test.workDirectory)).toEqual(['.host']);
  });

  it('a failing connection is reported with the reason, and nothing is stored [SETUP-06, SETUP-07]', async () => {
    await writeFile(join(test.workDirectory, 'notes.txt'), 'These are notes. '.repeat(100));
    const wrong = [
      { type: 'SQLITE', params: { filePath: '.' } },
      { type: 'SQLITE', params: { filePath: 'notes.txt' } },
      { type: 'SQLITE', params: { filePath: 'notes.txt/below.db' } },
      { type: 'POSTGRESQL', params: { host: '127.0.0.1', port: 1, database: 'x', username: 'y' } },
      { type: 'MYSQL', params: { host: '127.0.0.1', port: 1, database: 'x', username: 'y' } },
    ];
    for (const body of wrong) {
      const answer = await ask('POST', 'test-connection', body);
      expect(answer.status).toBe(200);
      const result = answer.json() as { success: boolean; message: string };
      expect(result.success, answer.text).toBe(false);
      expect(result.message).toMatch(/^The |^Nothing answers at 127.0.0.1, port 1\./);
      expect(result.message).toMatch(/\.$/);
    }
    expect(await configFiles()).toEqual(['.machineid']);
    expect(await readFile(join(test.workDirectory, 'notes.txt'), 'utf8')).toMatch(/^These are/);
  });

  it('a connection test refuses what initialize refuses, and leaves nothing behind [SETUP-06, SETUP-07, SETUP-08]', async () => {
    await writeFile(join(test.workDirectory, 'notes.txt'), 'These are notes. '.repeat(100));
    await mkdir(join(test.workDirectory, 'folder.db'));
    await makeNewer(join(test.workDirectory, 'newer.db'));
    await makeForeign(join(test.workDirectory, 'foreign.db'));
    const before = await readdir(test.workDirectory, { recursive: true });
    for (const filePath of [
      '/proc/nope/x.db',
      '/proc/x.db',
      '/sys/kernel/x.db',
      '/dev/null',
      '/dev/null/x.db',
      'notes.txt',
      'notes.txt/x.db',
      'folder.db',
      'newer.db',
      'foreign.db',
      `${'x'.repeat(254)}.db`,
    ]) {
      const choice = { type: 'SQLITE', params: { filePath } };
      const tested = await ask('POST', 'test-connection', choice);
      expect(tested.status).toBe(200);
      const { success, message } = tested.json() as { success: boolean; message?: string };
      expect(success, filePath).toBe(false);
      expect(message, filePath).toMatch(/^The .*\.$/);
      expect((await readdir(test.workDirectory, { recursive: true })).sort()).toEqual(
        before.sort(),
      );
      const initialized = await ask('POST', 'initialize', choice);
      expect(initialized.status, filePath).toBe(422);
      expect((initialized.json() as { detail: string }).detail).toBe(message);
    }
  });

  it('a connection test does not change an existing database [SETUP-07]', async () => {
    const filePath = join(test.workDirectory, 'there.db');
    const database = await openDatabase({ type: 'SQLITE', filePath });
    await database.sequelize.query('CREATE TABLE mine (n INTEGER)');
    await database.close();
    const bytes = await readFile(filePath);
    const choice = { type: 'SQLITE', params: { filePath } };
    expect((await ask('POST', 'test-connection', choice)).json()).toMatchObject({ success: true });
    expect((await readFile(filePath)).equals(bytes)).toBe(true);
    expect(await readdir(test.workDirectory)).toEqual(['.host', 'there.db']);
  });

  it.each([
    ['no type', { params: {} }],
    ['an unknown type', { type: 'ORACLE' }],
    ['a type in small letters', { type: 'sqlite' }],
    ['an unknown parameter', { type: 'SQLITE', params: { path: 'x' } }],
    [
      'a port that is none',
      { type: 'MYSQL', params: { host: 'h', database: 'd', username: 'u', port: 70_000 } },
    ],
    ['no host', { type: 'MYSQL', params: { database: 'd', username: 'u' } }],
    ['a blank user', { type: 'POSTGRESQL', params: { host: 'h', database: 'd', username: ' ' } }],
    ['a file of two lines', { type: 'SQLITE', params: { filePath: 'a\nb' } }],
    ['a file with NUL', { type: 'SQLITE', params: { filePath: 'a\0b' } }],
  ])('a choice with %s is refused by both, and nothing is stored', async (_, body) => {
    for (const path of ['test-connection', 'initialize']) {
      const answer = await ask('POST', path, body);
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({ code: 'invalid_body' });
    }
    expect(await configFiles()).toEqual(['.machineid']);
  });

  it('continue is refused without an earlier configuration', async () => {
    const answer = await ask('POST', 'continue');
    expect(answer.status).toBe(409);
    expect(answer.json()).toMatchObject({ code: 'nothing_to_continue' });
  });
});

describe('initialize', () => {
  it('stores the configuration and switches to APP mode on the same port [SETUP-09, SETUP-02, SETUP-16, SETUP-19]', async () => {
    const answer = await initialize();
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ initialized: true });
    expect(test.host.mode()).toBe('APP');
    expect(await status()).toMatchObject({ initialized: true });
    expect(test.paths.dataSource).toBe(
      join(test.workDirectory, '.host', 'config', 'datasource.properties'),
    );
    expect(await configFiles()).toEqual(['.machineid', 'datasource.properties']);
    expect((await test.client.call(api.settings.get)).theme).toBe('light');
    expect(await test.client.call(api.notifications.list)).toEqual([]);
    const port = test.port;
    await test.stop();
    test = await startTestHost({ workDirectory: test.workDirectory, setup: null });
    expect(test.host.mode()).toBe('APP');
    expect(port).toBeGreaterThan(0);
  });

  it('writes every key of the configuration [SETUP-17, SETUP-18, SETUP-23, SETUP-24, SETUP-25, SETUP-26, SETUP-27, SETUP-28]', async () => {
    await initialize();
    const file = join(test.workDirectory, '.host', 'database', 'host');
    expect(getProperties(await configuration())).toEqual({
      'db.type': 'SQLITE',
      'db.url': `jdbc:sqlite:${file}.db`,
      'db.driver': 'org.sqlite.JDBC',
      'db.dialect': 'org.hibernate.community.dialect.SQLiteDialect',
      'db.username': '',
      'db.password': expect.stringMatching(/^ENC\([A-Za-z0-9+/]+=*\)$/) as unknown,
      'db.file.path': file,
    });
    expect((await stat(test.paths.dataSource)).mode & 0o777).toBe(0o600);
    expect(await databaseFiles()).toContain('host.db');
  });

  it('uses the specified file, also with a relative path [SETUP-28]', async () => {
    expect((await initialize({ filePath: 'my data/ä = #1.sqlite' })).status).toBe(200);
    await test.client.call(api.settings.put, { body: { theme: 'dark' } });
    expect(await readdir(join(test.workDirectory, 'my data'))).toContain('ä = #1.sqlite');
    expect(await databaseFiles()).toEqual([]);
    await test.stop();
    test = await startTestHost({ workDirectory: test.workDirectory, setup: null });
    expect((await test.client.call(api.settings.get)).theme).toBe('dark');
  });

  it('stays in SETUP mode if its test fails, and stores nothing [SETUP-08, SETUP-12]', async () => {
    await mkdir(join(test.workDirectory, 'folder.db'));
    for (const body of [
      { type: 'SQLITE', params: { filePath: 'folder.db' } },
      { type: 'SQLITE', params: { filePath: '/proc/cannot/be/made.db' } },
      { type: 'SQLITE', params: { filePath: '/proc/nowhere/x.db' } },
      { type: 'H2', params: { filePath: '/proc/cannot/be/made' } },
      {
        type: 'POSTGRESQL',
        params: { host: 'nowhere.invalid', database: 'd', username: 'u', password: 'p' },
      },
    ]) {
      const answer = await ask('POST', 'initialize', body);
      expect(answer.status).toBe(422);
      expect(answer.json()).toMatchObject({ code: 'connection_failed' });
      expect(answer.text).not.toContain(test.workDirectory);
    }
    expect(test.host.mode()).toBe('SETUP');
    expect(await configFiles()).toEqual(['.machineid']);
    expect((await initialize()).status).toBe(200);
  });

  it('tests again even after a successful test [SETUP-08]', async () => {
    const choice = { type: 'SQLITE', params: { filePath: 'later.db' } };
    expect((await ask('POST', 'test-connection', choice)).json()).toMatchObject({ success: true });
    await mkdir(join(test.workDirectory, 'later.db'));
    expect((await ask('POST', 'initialize', choice)).status).toBe(422);
    expect(await configFiles()).toEqual(['.machineid']);
  });

  it('creates the local user admin with the id 1, once [SETUP-29]', async () => {
    await initialize();
    const users = async (): Promise<object[]> => {
      await test.stop();
      const filePath = join(test.paths.database, 'host.db');
      const database = await openDatabase({ type: 'SQLITE', filePath });
      const rows = await database.sequelize.query('SELECT id, name FROM users', {
        type: QueryTypes.SELECT,
      });
      await database.close();
      test = await startTestHost({ workDirectory: test.workDirectory, setup: null });
      return rows;
    };
    expect(await users()).toEqual([{ id: 1, name: 'admin' }]);
    expect(await users()).toEqual([{ id: 1, name: 'admin' }]);
  });

  it('runs once for concurrent requests [SETUP-09]', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => initialize()));
    const codes = answers.map(({ status }) => status).sort();
    expect(codes).toEqual([200, 409, 409, 409, 409]);
    expect(test.host.mode()).toBe('APP');
    expect((await test.client.call(api.settings.get)).theme).toBe('light');
  });

  it('completes the wizard from a fresh installation to APP mode [SETUP-11]', async () => {
    const wizard = async (method: string, path: string, body?: unknown): Promise<unknown> => {
      const answer = await ask(method, path, body);
      expect(answer.status, path).toBe(200);
      return answer.json();
    };
    expect(await wizard('GET', 'status')).toMatchObject({ initialized: false });
    const forms = DatabaseForm.array().parse(await wizard('GET', 'types'));
    const usable = forms.find(({ unavailable }) => unavailable === undefined);
    const choice = { type: usable?.type, params: {} };
    expect(await wizard('POST', 'test-connection', choice)).toMatchObject({ success: true });
    expect(await wizard('POST', 'initialize', choice)).toMatchObject({ initialized: true });
    expect(await wizard('GET', 'status')).toMatchObject({ initialized: true });
  });
});

describe('in APP mode', () => {
  beforeEach(async () => {
    await initialize();
  });

  it('the wizard is read-only [SETUP-02]', async () => {
    const before = await configuration();
    expect((await ask('GET', 'types')).status).toBe(200);
    for (const path of ['test-connection', 'initialize', 'continue']) {
      const answer = await ask('POST', path, { type: 'SQLITE', params: { filePath: 'x.db' } });
      expect(answer.status, path).toBe(409);
      expect(answer.json()).toMatchObject({ code: 'already_initialized' });
    }
    expect((await ask('DELETE', 'config')).status).toBe(401);
    expect(await configuration()).toBe(before);
    expect(test.host.mode()).toBe('APP');
  });

  it.each([
    ['DELETE', '/api/setup/config', 204],
    ['POST', '/api/settings/database/reset', 200],
  ])(
    '%s %s keeps a backup, clears the configuration and returns to SETUP mode [SETUP-10, SETUP-15]',
    async (method, path, code) => {
      await test.client.call(api.settings.put, { body: { theme: 'dark' } });
      const before = await configuration();
      const answer = await test.ask(path, { method });
      expect(answer.status).toBe(code);
      if (code === 200) expect(answer.json()).toEqual({ backup: 'datasource.properties.bak' });
      expect(test.host.mode()).toBe('SETUP');
      expect(await configFiles()).toEqual(['.machineid', 'datasource.properties.bak']);
      const backup = `${test.paths.dataSource}.bak`;
      expect(await readFile(backup, 'utf8')).toBe(before);
      expect((await stat(backup)).mode & 0o777).toBe(0o600);
      expect((await test.ask('/api/settings')).json()).toMatchObject({ code: 'setup_required' });
      expect(await status()).toMatchObject({ initialized: false });
      expect((await initialize()).status).toBe(200);
      expect((await test.client.call(api.settings.get)).theme).toBe('dark');
    },
  );

  it.each([
    ['DELETE', '/api/setup/config'],
    ['POST', '/api/settings/database/reset'],
  ])('after %s %s the earlier configuration can be restored', async (method, path) => {
    await test.client.call(api.settings.put, { body: { theme: 'dark' } });
    const before = await configuration();
    await test.ask(path, { method });
    const previous = { type: 'SQLITE', backup: 'datasource.properties.bak' };
    expect(await status()).toMatchObject({ initialized: false, previous });
    await test.stop();
    test = await startTestHost({ workDirectory: test.workDirectory });
    expect(test.host.mode()).toBe('SETUP');
    expect(await status()).toMatchObject({ initialized: false, previous });

    const answer = await ask('POST', 'continue');
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ initialized: true });
    expect((await test.client.call(api.settings.get)).theme).toBe('dark');
    expect(await configuration()).toBe(before);
    expect((await stat(test.paths.dataSource)).mode & 0o777).toBe(0o600);
    await test.ask(path, { method });
    expect(await configFiles()).toEqual(['.machineid', 'datasource.properties.bak']);
  });

  it('the most recent configuration is offered for restoring', async () => {
    await test.client.call(api.settings.resetDatabase);
    await initialize({ filePath: 'second.db' });
    await test.client.call(api.settings.put, { body: { theme: 'dark' } });
    await test.client.call(api.settings.resetDatabase);
    expect((await status()).previous?.backup).toBe('datasource.properties.bak.1');
    expect((await ask('POST', 'continue')).status).toBe(200);
    expect((await test.client.call(api.settings.get)).theme).toBe('dark');
  });

  it('restoring an unusable configuration reports the reason, and stays in SETUP mode', async () => {
    await test.client.call(api.settings.resetDatabase);
    const file = join(test.paths.database, 'host.db');
    await rm(file);
    await mkdir(file);
    const answer = await ask('POST', 'continue');
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject({ code: 'connection_failed' });
    expect(test.host.mode()).toBe('SETUP');
    expect(await configFiles()).toEqual(['.machineid', 'datasource.properties.bak']);
    expect(await status()).toHaveProperty('previous');
  });

  it('an invalid configuration is skipped in favor of a valid backup', async () => {
    await test.client.call(api.settings.resetDatabase);
    await test.stop();
    await writeFile(test.paths.dataSource, 'db.type=ORACLE\n');
    test = await startTestHost({ workDirectory: test.workDirectory });
    expect(await status()).toMatchObject({
      reason: { code: 'broken_configuration' },
      previous: { type: 'SQLITE', backup: 'datasource.properties.bak' },
    });
    expect((await ask('POST', 'continue')).status).toBe(200);
    const backupText = await readFile(`${test.paths.dataSource}.bak.1`, 'utf8');
    expect(backupText).toBe('db.type=ORACLE\n');
  });

  it('a backup never overwrites an earlier one [SETUP-10, SETUP-15]', async () => {
    const reset = (): Promise<{ backup: string | null }> =>
      test.client.call(api.settings.resetDatabase);
    const configurations: Record<string, string> = {};
    for (const [number, name] of ['.bak', '.bak.1', '.bak.2'].entries()) {
      if (number > 0) await initialize({ filePath: `other-${number}.db` });
      configurations[name] = await configuration();
      expect(await reset()).toEqual({ backup: `datasource.properties${name}` });
    }
    for (const [name, text] of Object.entries(configurations))
      expect(await readFile(test.paths.dataSource + name, 'utf8')).toBe(text);
    expect(new Set(Object.values(configurations)).size).toBe(3);
  });

  it('five concurrent resets end in SETUP mode with one backup', async () => {
    const tries = [1, 2, 3, 4, 5].map(() =>
      test.client.call(api.settings.resetDatabase).catch((error: unknown) => {
        expect(error).toBeInstanceOf(ServiceError);
        expect([404, 409]).toContain((error as ServiceError).problem.status);
        return null;
      }),
    );
    expect((await Promise.all(tries)).filter((answer) => answer !== null)).toHaveLength(1);
    expect(test.host.mode()).toBe('SETUP');
    expect(await configFiles()).toEqual(['.machineid', 'datasource.properties.bak']);
  });

  it('a reset under load answers every request, and can be undone', async () => {
    const statuses = new Set<number>();
    let going = true;
    const load = async (): Promise<void> => {
      while (going) {
        const answer = await test.ask('/api/settings', {
          method: 'PUT',
          headers: { 'Content-Type': 'application/json' },
          body: '{"theme":"dark"}',
        });
        statuses.add(answer.status);
      }
    };
    const clients = Array.from({ length: 8 }, load);
    await expect.poll(() => statuses.has(200)).toBe(true);
    await test.client.call(api.settings.resetDatabase);
    await expect.poll(() => statuses.has(404)).toBe(true);
    expect((await initialize()).status).toBe(200);
    going = false;
    await Promise.all(clients);
    expect([...statuses].filter((code) => ![200, 404, 503].includes(code))).toEqual([]);
    expect((await test.client.call(api.settings.get)).theme).toBe('dark');
  });
});
