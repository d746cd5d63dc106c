import { beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../../platform/database/migrate.ts';
import { everyDatabase } from '../../../testing/database-servers/index.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { MemoryStore } from './memory-store.ts';

describe.each(everyDatabase)('on $type', (type) => {
  const used = useDatabase(type);
  beforeEach(() => migrate(used.current));

  it('memories are read as they were stored, newest first', async () => {
    const store = new MemoryStore(used.current);
    const text = `Zoë's "note" in 東京 🙂 \\ '; DROP TABLE memories; --\n${'é'.repeat(3_000)}`;
    const at = new Date('2026-01-31T23:59:59.123Z');
    const first = await store.add(text, ['work', '東京 "x"'], at);
    const second = await store.add('plain', [], at);
    expect(await store.count()).toBe(2);
    expect(await store.newest(10)).toEqual([
      { id: second, text: 'plain', tags: [], createdAt: at.toISOString() },
      { id: first, text, tags: ['work', '東京 "x"'], createdAt: at.toISOString() },
    ]);
    expect(await store.newest(1)).toMatchObject([{ id: second }]);
    expect([await store.remove(first), await store.remove(first)]).toEqual([true, false]);
    for (const id of ['0', '2147483647', '2147483648', '9999999999', 'x', ''])
      expect(await store.remove(id), id).toBe(false);
    expect(await store.count()).toBe(1);
  });
});
