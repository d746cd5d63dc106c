import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  api,
  type NewNotification,
  Notification,
  NotificationLevel,
} from '../../contract/index.ts';
import { ServiceError } from '../../client/index.ts';
import { packPlugin } from '../../testing/packages.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
});
afterAll(() => test.close());
beforeEach(async () => {
  for (let rows = await list(); rows.length > 0; rows = await list())
    for (const { id } of rows) await test.client.call(notifications.remove, { params: { id } });
});

const { notifications } = api;
const plain = { source: 'host', level: 'info', title: 'Something happened' } as const;
const create = (overrides: Partial<NewNotification> = {}): Promise<Notification> =>
  test.client.call(notifications.create, { body: { ...plain, ...overrides } });
const list = (query = {}): Promise<Notification[]> =>
  test.client.call(notifications.list, { query });
const unread = async (): Promise<number> =>
  (await test.client.call(notifications.unreadCount)).count;
const post = (path: string, body: unknown): ReturnType<TestHost['ask']> =>
  test.ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('a created notification', () => {
  it('is returned with all its fields and status 201 [NOTIFY-01, NOTIFY-05]', async () => {
    const before = Date.now();
    const body = { ...plain, level: 'warning', body: 'More words', link: '/plugins' };
    const answer = await post('/api/notifications', body);
    expect(answer.status).toBe(201);
    const made = Notification.strict().parse(answer.json());
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/) as unknown,
      ...body,
      read: false,
      createdAt: new Date(made.createdAt).toISOString(),
      readAt: null,
    });
    expect(Date.parse(made.createdAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(made.createdAt)).toBeLessThanOrEqual(Date.now());
    expect(await list()).toEqual([made]);
  });

  it('needs neither a body nor a link [NOTIFY-04]', async () => {
    expect(await create()).toMatchObject({ body: null, link: null });
    expect(await create({ body: null, link: null })).toMatchObject({ body: null, link: null });
  });

  it.each(NotificationLevel.options)('may have the level %s [NOTIFY-02]', async (level) => {
    expect((await create({ level })).level).toBe(level);
    expect((await list())[0]?.level).toBe(level);
  });

  it('keeps every character of its texts', async () => {
    const title = `Ünïcode "quotes" '; DROP TABLE notifications; -- \u{1f680} ${'x'.repeat(100)}`;
    const body = `line\nline\ttab \\ <b>not bold</b> ${'é'.repeat(3_900)}`;
    const made = await create({ title, body });
    expect(made).toMatchObject({ title, body });
    expect(await list()).toEqual([made]);
  });

  it.each(['/', '/plugins/acme.demo?tab=1#x', 'https://example.org/page'])(
    'may link to %s',
    async (link) => {
      expect((await create({ link })).link).toBe(link);
    },
  );

  it.each([
    ['an unknown level', { level: 'fatal' }],
    ['a level in capitals', { level: 'INFO' }],
    ['no level', { level: undefined }],
    ['an unknown source', { source: 'someone' }],
    ['a source with more behind it', { source: 'host ' }],
    ['a plugin without a name', { source: 'plugin:' }],
    ['a source of two lines', { source: 'host\nplugin:x' }],
    ['no title', { title: '' }],
    ['a title of 201 characters', { title: 'x'.repeat(201) }],
    ['a title that is a number', { title: 7 }],
    ['a title with a NUL', { title: 'a\0b' }],
    ['a title with half a character', { title: 'a\ud83d' }],
    ['a body with a NUL', { body: '\0' }],
    ['a body of 4001 characters', { body: 'x'.repeat(4_001) }],
    ['a link to another page by http', { link: 'http://example.org' }],
    ['a link that runs', { link: 'javascript:alert(1)' }],
    ['a link to another host', { link: '//example.org' }],
    ['a link to another host with a backslash', { link: '/\\example.org' }],
    ['a link to another host behind a tab', { link: '/\t/example.org' }],
    ['a link to data', { link: 'data:text/html,x' }],
    ['a link that is no address', { link: 'plugins' }],
    ['a link with a NUL', { link: '/plugins\0' }],
    ['a link to a page with a NUL', { link: 'https://example.org/\0' }],
    ['an unknown key', { colour: 'red' }],
    ['an id of its own choice', { id: '7' }],
    ['a mark that it was read', { read: true }],
  ])('is refused with %s [NOTIFY-02, NOTIFY-03]', async (_, wrong) => {
    const answer = await post('/api/notifications', { ...plain, ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_body' });
    expect(await list()).toEqual([]);
  });
});

describe('the source of a notification', () => {
  it.each(['host', 'agent'])('may be the %s [NOTIFY-03]', async (source) => {
    expect((await create({ source })).source).toBe(source);
  });

  it('may be an installed plugin with the permission, and no other plugin [NOTIFY-03, NOTIFY-21]', async () => {
    const install = async (id: string, permissions: string[]): Promise<void> => {
      const file = new Blob([await packPlugin({ manifest: { id, permissions } })]);
      await test.client.call(api.market.upload, { file });
    };
    await install('acme.loud', ['notifications']);
    await install('acme.quiet', ['files.read', 'network']);
    expect(await create({ source: 'plugin:acme.loud' })).toMatchObject({
      source: 'plugin:acme.loud',
    });
    const quiet = await post('/api/notifications', { ...plain, source: 'plugin:acme.quiet' });
    expect(quiet.status).toBe(403);
    expect(quiet.json()).toMatchObject({ code: 'missing_permission' });
    const unknown = await post('/api/notifications', { ...plain, source: 'plugin:acme.none' });
    expect(unknown.status).toBe(404);
    expect(unknown.json()).toMatchObject({ code: 'unknown_plugin' });
    await install('acme.loud', []);
    expect(
      (await post('/api/notifications', { ...plain, source: 'plugin:acme.loud' })).status,
    ).toBe(403);
    expect(await list()).toHaveLength(1);
  });
});

describe('a plugin that floods the notifications', () => {
  it('is refused after ten, while the host is not', async () => {
    const manifest = { id: 'acme.flood', permissions: ['notifications'] };
    await test.client.call(api.market.upload, { file: new Blob([await packPlugin({ manifest })]) });
    const source = 'plugin:acme.flood';
    for (let n = 0; n < 10; n += 1) await create({ source });
    const refused = await post('/api/notifications', { ...plain, source });
    expect(refused.status).toBe(503);
    expect(refused.json()).toMatchObject({ code: 'too_many_notifications' });
    await create();
    expect(await list()).toHaveLength(11);
  });
});

describe('the history', () => {
  it('starts with the newest [NOTIFY-07]', async () => {
    for (const title of ['one', 'two', 'three']) await create({ title });
    expect((await list()).map(({ title }) => title)).toEqual(['three', 'two', 'one']);
  });

  it('can be limited to unread notifications [NOTIFY-09]', async () => {
    const made = [await create({ title: 'a' }), await create({ title: 'b' }), await create()];
    await test.client.call(notifications.read, { params: { id: made[1]!.id } });
    expect((await list({ unreadOnly: 'true' })).map(({ id }) => id)).toEqual([
      made[2]!.id,
      made[0]!.id,
    ]);
    expect(await list({ unreadOnly: 'false' })).toHaveLength(3);
    expect(await list({ unreadOnly: 'true', limit: '1' })).toHaveLength(1);
    await expect(list({ unreadOnly: 'yes' })).rejects.toBeInstanceOf(ServiceError);
  });

  it('survives a restart [NOTIFY-24]', async () => {
    const made = await create({ body: 'kept', link: '/plugins' });
    const read = await test.client.call(notifications.read, { params: { id: made.id } });
    const other = await create();
    await test.stop();
    const { workDirectory } = test;
    test = await startTestHost({ workDirectory });
    expect(await list()).toEqual([other, read]);
  });

  it('never reuses an id', async () => {
    const { id } = await create();
    await test.client.call(notifications.remove, { params: { id } });
    expect(Number((await create()).id)).toBeGreaterThan(Number(id));
  });
});

describe('marking as read', () => {
  it('changes an unread notification to read [NOTIFY-10, NOTIFY-11]', async () => {
    const [first] = [await create(), await create()];
    expect(await unread()).toBe(2);
    const read = await test.client.call(notifications.read, { params: { id: first.id } });
    expect(read).toEqual({ ...first, read: true, readAt: expect.any(String) as unknown });
    expect(read.readAt).toBe(new Date(read.readAt ?? '').toISOString());
    expect(await unread()).toBe(1);
    expect(await list()).toContainEqual(read);
  });

  it('twice keeps the first time, even for concurrent requests [NOTIFY-12]', async () => {
    const { id } = await create();
    const both = [1, 2, 3].map(() => test.client.call(notifications.read, { params: { id } }));
    const [first, ...others] = await Promise.all(both);
    for (const other of others) expect(other).toEqual(first);
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(first?.readAt ?? '') + 5);
    expect(await test.client.call(notifications.read, { params: { id } })).toEqual(first);
    expect(await unread()).toBe(0);
  });

  it('for all of them marks every unread one and returns the count [NOTIFY-13]', async () => {
    const first = await create();
    const read = await test.client.call(notifications.read, { params: { id: first.id } });
    await create();
    await create();
    expect(await test.client.call(notifications.readAll)).toEqual({ updated: 2 });
    expect(await unread()).toBe(0);
    const rows = await list();
    expect(rows.every((row) => row.read && row.readAt !== null)).toBe(true);
    expect(rows).toContainEqual(read);
    expect(await test.client.call(notifications.readAll)).toEqual({ updated: 0 });
  });
});

describe('removing', () => {
  it('deletes one notification and keeps the others [NOTIFY-14]', async () => {
    const [first, second] = [await create(), await create()];
    const path = `/api/notifications/${first.id}`;
    const answer = await test.ask(path, { method: 'DELETE' });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(await list()).toEqual([second]);
    expect((await test.ask(path, { method: 'DELETE' })).status).toBe(404);
    expect(await unread()).toBe(1);
  });

  it.each([
    '0',
    '-1',
    '2147483648',
    '9999999999',
    '1.0',
    '1 OR 1=1',
    '%00',
    '1%27',
    '١',
    '9'.repeat(40),
    'x'.repeat(65),
  ])('has no effect for the invalid id %s', async (id) => {
    await create();
    const path = `/api/notifications/${encodeURI(id)}`;
    for (const [method, end] of [
      ['DELETE', ''],
      ['POST', '/read'],
    ] as const) {
      const { status } = await test.ask(path + end, { method });
      expect([400, 404]).toContain(status);
    }
    expect((await list()).map(({ read }) => read)).toEqual([false]);
  });
});

describe('a long history', () => {
  const ids: string[] = [];
  let long: TestHost;
  beforeAll(async () => {
    long = await startTestHost();
    for (let i = 1; i <= 203; i += 1) {
      const body = { ...plain, title: `row ${i}` };
      ids.push((await long.client.call(notifications.create, { body })).id);
    }
  });
  afterAll(() => long.close());

  it('is returned in 50 rows by default, and at most 100 [NOTIFY-08, LIMIT-05]', async () => {
    const listed = (query: object): Promise<Notification[]> =>
      long.client.call(notifications.list, { query });
    expect(await listed({})).toHaveLength(50);
    for (const limit of [1, 2, 99, 100]) {
      const rows = await listed({ limit: String(limit) });
      expect(rows.map(({ id }) => id)).toEqual(ids.slice(-limit).reverse());
    }
    for (const limit of ['0', '101', '-1', 'abc', '1.5', '']) {
      await expect(listed({ limit }), limit).rejects.toMatchObject({
        problem: { status: 400, code: 'invalid_query' },
      });
    }
  });

  it('keeps only the newest 200 rows [LIMIT-04]', async () => {
    const read = (id = ''): Promise<Notification> =>
      long.client.call(notifications.read, { params: { id } });
    for (const id of ids.slice(0, 3)) {
      await expect(read(id)).rejects.toMatchObject({
        problem: { status: 404, code: 'unknown_notification' },
      });
    }
    expect(await long.client.call(notifications.unreadCount)).toEqual({ count: 200 });
    expect((await read(ids[3])).title).toBe('row 4');
    expect(await long.client.call(notifications.readAll)).toEqual({ updated: 199 });
  });
});
