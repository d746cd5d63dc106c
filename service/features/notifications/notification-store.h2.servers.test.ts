import { beforeEach, describe, expect, it } from 'vitest';
import type { NewNotification, Notification } from '../../contract/index.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { everyDatabase } from '../../testing/database-servers/index.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { NotificationStore, retention } from './notification-store.ts';

const notification: NewNotification = {
  source: 'plugin:acme.demo',
  level: 'warning',
  title: 'Ünïcode "quotes" \'; DROP TABLE notifications; -- \u{1f680}',
  body: `line\nline\ttab \\ <b>not bold</b> ${'é'.repeat(3_000)}`,
  link: '/plugins',
};

describe.each(everyDatabase)('on $type', (type) => {
  const used = useDatabase(type);
  let store: NotificationStore;
  beforeEach(async () => {
    await migrate(used.current);
    store = new NotificationStore(used.current);
  });

  it('a notification is read as it was stored, to the millisecond', async () => {
    const before = Date.now();
    const full = await store.add(notification);
    const bare = await store.add({ source: 'host', level: 'info', title: 'bare' });
    expect(full).toMatchObject({ ...notification, read: false, readAt: null });
    expect(bare).toMatchObject({ body: null, link: null });
    expect(Date.parse(full.createdAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(full.createdAt)).toBeLessThanOrEqual(Date.now());
    expect(await store.newest(10, false)).toEqual([bare, full]);
    expect(await store.find(full.id)).toEqual(full);
    expect(await store.has(notification)).toBe(true);
    expect(await store.has({ ...notification, body: 'other' })).toBe(false);
    expect(await store.has({ source: 'host', level: 'info', title: 'bare' })).toBe(true);
  });

  it('notifications can be read, counted and removed', async () => {
    const first = await store.add(notification);
    const second = await store.add(notification);
    await store.markRead(first.id);
    const read = await store.find(first.id);
    expect(read).toMatchObject({ ...first, read: true, readAt: expect.any(String) as unknown });
    await store.markRead(first.id);
    expect(await store.find(first.id)).toEqual(read);
    expect(await store.countUnread()).toBe(1);
    expect(await store.newest(10, true)).toEqual([second]);
    expect([await store.markAllRead(), await store.markAllRead()]).toEqual([1, 0]);
    expect([await store.remove(first.id), await store.remove(first.id)]).toEqual([true, false]);
    for (const id of ['0', '2147483647', '2147483648', '999999999999999', 'x', ''])
      expect([await store.find(id), await store.remove(id)], id).toEqual([null, false]);
  });

  it('exactly the newest are kept during concurrent writes, and ids are unique', async () => {
    const write = async (): Promise<Notification[]> => {
      const written: Notification[] = [];
      for (let i = 0; i < 12; i += 1) written.push(await store.add(notification));
      return written;
    };
    const all = (await Promise.all(Array.from({ length: 20 }, write))).flat();
    const ids = all.map(({ id }) => Number(id)).sort((a, b) => a - b);
    expect(new Set(ids).size).toBe(240);
    const retained = (await store.newest(1_000, false)).map(({ id }) => Number(id));
    expect(retained).toEqual(ids.slice(-retention).reverse());
    const rows = (): Promise<{ id: number }[]> =>
      used.current.select('SELECT id FROM notifications');
    await expect.poll(async () => (await rows()).length).toBeLessThan(retention + 25);
  });

  it('a notification dropped from the history does not return when there is room again', async () => {
    const ids: string[] = [];
    for (let count = 0; count < retention + 2; count += 1)
      ids.push((await store.add(notification)).id);
    const [fallen = '', removed = '', oldest = ''] = ids;
    await store.remove(ids.at(-1) ?? '');
    const retained = await store.newest(1_000, false);
    expect(retained).toHaveLength(retention - 1);
    expect(retained.at(-1)?.id).toBe(oldest);
    expect(await store.countUnread()).toBe(retention - 1);
    for (const id of [fallen, removed]) {
      expect(await store.find(id)).toBeNull();
      expect(await store.remove(id)).toBe(false);
    }
    expect(await store.markAllRead()).toBe(retention - 1);
  });
});
