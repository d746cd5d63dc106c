import { describe, expect, it } from 'vitest';
import { migrate } from '../../platform/database/migrate.ts';
import { everyDatabase, sqliteDatabase } from '../../testing/database-servers/index.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { TrustStore } from './trust-store.ts';

describe.each(everyDatabase)('on $type', (type) => {
  const used = useDatabase(type);

  it('trust is stored, renewed, revoked, and removed with its plugin', async () => {
    await migrate(used.current);
    const trust = new TrustStore(used.current);
    const hash = 'ab'.repeat(32);
    for (const id of ['acme.one', 'acme.two', 'acme.three']) await trust.trust(id, hash);
    await trust.trust('acme.one', hash);
    await trust.trust('acme.two', 'cd'.repeat(32));
    expect(await trust.all()).toEqual(
      new Map([
        ['acme.one', hash],
        ['acme.two', 'cd'.repeat(32)],
        ['acme.three', hash],
      ]),
    );
    await trust.forget('acme.one');
    await trust.forget('acme.one');
    await trust.keep(['acme.two', 'acme.four']);
    expect([...(await trust.all()).keys()]).toEqual(['acme.two']);
    await trust.keep([]);
    expect(await trust.all()).toEqual(new Map());
  });
});

describe('a row that cannot be deleted', () => {
  const used = useDatabase(sqliteDatabase);

  it('does not count once its plugin is gone, and a new grant replaces it', async () => {
    await migrate(used.current);
    const { sequelize } = used.current;
    const trust = new TrustStore(used.current);
    const hash = 'ab'.repeat(32);
    await trust.trust('acme.one', hash);
    await sequelize.query(
      `CREATE TRIGGER kept BEFORE DELETE ON plugin_trust BEGIN SELECT RAISE(ABORT, 'kept'); END`,
    );
    await trust.drop('acme.one');
    expect(await trust.all()).toEqual(new Map());
    await expect(trust.trust('acme.one', hash)).rejects.toThrow();
    expect(await trust.all()).toEqual(new Map());
    await sequelize.query('DROP TRIGGER kept');
    await trust.trust('acme.one', hash);
    expect(await trust.all()).toEqual(new Map([['acme.one', hash]]));
  });
});
