import { describe, expect, it } from 'vitest';
import { migrate } from '../../platform/database/migrate.ts';
import { everyDatabase } from '../../testing/database-servers/index.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { TrustStore } from './trust-store.ts';

describe.each(everyDatabase)('on $type', (type) => {
  const used = useDatabase(type);

  it('a word of trust is kept, given again, taken back, and forgotten with its plugin', async () => {
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
