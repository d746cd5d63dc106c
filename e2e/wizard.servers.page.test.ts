import { expect, test } from '@playwright/test';
import {
  databaseServers,
  type DatabaseServer,
  type OwnServer,
  startPostgres,
} from '../service/testing/database-servers/index.ts';
import { hostPages } from './host-pages.ts';
import {
  chooseType,
  fillIn,
  completeWizard,
  leaveWizard,
  reopenHost,
  openWizard,
  seeItWork,
  seeWhatIsStored,
  setUp,
  storeSomething,
  wizardArgs,
} from './wizard-steps.ts';

const pages = hostPages([422]);
const { hosts, page, renew, picture } = pages;
const { mariadb, postgres } = databaseServers();

function fieldsOf(server: DatabaseServer, database: string): Record<string, string> {
  return {
    Host: server.host,
    Port: String(server.port),
    Database: database,
    Username: server.username,
    Password: server.password,
  };
}

for (const { type, label, ask, version } of [
  { type: 'MYSQL', label: 'MySQL', ask: mariadb, version: /^Version: \d+\.\d+.*MariaDB/ },
  { type: 'POSTGRESQL', label: 'PostgreSQL', ask: postgres, version: /^Version: \d+\.\d+/ },
])
  test.describe(`a ${label} server`, () => {
    let server: DatabaseServer;
    let database = '';
    test.beforeAll(async () => {
      server = await ask();
      database = await server.makeDatabase();
    });
    test.afterAll(() => server.dropDatabase(database));

    test('is chosen in the wizard, and holds what the host stored at its next start [SETUP-11, SETUP-21, SETUP-22]', async () => {
      const host = await hosts.start({ args: wizardArgs });
      const stored = await completeWizard(pages, host, {
        label,
        name: type.toLowerCase(),
        wrong: { ...fieldsOf(server, database), Password: 'not the password' },
        refusal: /does not accept the password of the user admin\./,
        right: { Password: server.password },
        version,
        async more() {
          await page().getByRole('switch', { name: 'Encrypted connection (TLS)' }).click();
          await fillIn(page(), { 'CA certificate file': server.caFile });
          expect(await seeItWork(page())).toMatch(version);
        },
      });
      expect(stored).toMatch(new RegExp(`^db\\.type=${type}$`, 'm'));
      expect(stored).toContain('test-only-ca.pem');
      expect(stored).not.toContain(server.password);
      await reopenHost(pages, host.workDirectory);
    });
  });

test.describe('a PostgreSQL server that is stopped when the host starts', () => {
  let server: OwnServer;
  test.beforeAll(async () => {
    server = await startPostgres();
  });
  test.afterAll(() => server.close());

  test('is named in the wizard, which leads back to it and to all data once it runs again [SETUP-13, SETUP-14]', async () => {
    const host = await hosts.start({ args: wizardArgs });
    await openWizard(page(), host);
    await chooseType(page(), 'PostgreSQL');
    await fillIn(page(), fieldsOf(server, server.database));
    await setUp(page());
    await storeSomething(page(), host);
    await renew();
    expect(await host.stop()).toEqual({ code: 0, signal: null });
    await server.stop();

    const again = await hosts.start({ args: wizardArgs, workDirectory: host.workDirectory });
    await openWizard(page(), again);
    const alert = page().getByRole('note').filter({ hasText: 'The host has returned to setup' });
    await alert.getByText(`Nothing answers at 127.0.0.1, port ${server.port}.`).waitFor();
    const goBack = 'Continue with the previous database (PostgreSQL)';
    expect(await leaveWizard(page(), goBack)).toMatch(
      /^The previous database still cannot be used\s+Nothing answers at/,
    );
    await picture('wizard-server-away');

    await server.start();
    expect(await leaveWizard(page(), goBack)).toBe('');
    await seeWhatIsStored(page());
  });
});
