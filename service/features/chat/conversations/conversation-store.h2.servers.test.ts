import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../../contract/index.ts';
import { migrate } from '../../../platform/database/migrate.ts';
import { everyDatabase } from '../../../testing/database-servers/index.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import type { ConversationRow } from './conversation-row.ts';
import { ConversationStore, type StoredMessage } from './conversation-store.ts';

const row = (number: number, change: Partial<ConversationRow> = {}): ConversationRow => ({
  id: `id-${number}`,
  title: `Größe ${number} 🙂`,
  parentId: null,
  revision: 1,
  messageCount: 0,
  folder: null,
  pinned: false,
  archived: false,
  settings: {},
  titledBy: null,
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: `2026-01-0${number}T03:04:05.678Z`,
  ...change,
});
const user = (content: string): ChatMessage => ({ role: 'user', content });
let made = 0;
const stored = (content: string, sequence = 0): StoredMessage => ({
  id: `message-${(made += 1)}`,
  sequence,
  message: user(content),
});

describe.each(everyDatabase)('on $type', (type) => {
  const used = useDatabase(type);

  it('conversations and messages are read as they were stored, and can be searched', async () => {
    await migrate(used.current);
    const store = new ConversationStore(used.current);
    const many = Array.from({ length: 450 }, (_, index) => stored(`message ${index}`));
    await store.add(row(1, { messageCount: 450 }), many);
    await store.add(row(2, { parentId: 'id-1', messageCount: 1 }), [stored('100 % ÄÖÜ 🙂')]);
    expect(await store.find('id-2')).toEqual(row(2, { parentId: 'id-1', messageCount: 1 }));
    expect(await store.messagesOf('id-1', { limit: 3, before: 450 })).toEqual({
      firstIndex: 447,
      messages: many.slice(447),
    });
    const large = stored(`${'x'.repeat(3_000_000)}🙂`);
    const grown = row(1, { messageCount: 451, updatedAt: '2026-01-03T00:00:00.000Z' });
    await store.append(grown, [large]);
    expect((await store.messagesOf('id-1', { limit: 1, before: 451 })).messages).toEqual([large]);
    await store.rewrite(grown, 450, user('short'));
    await store.rewrite(grown, 450, user('short'));
    expect((await store.messagesOf('id-1', { limit: 1, before: 451 })).messages).toEqual([
      { ...large, message: user('short') },
    ]);
    const found = async (q: string | null): Promise<string[]> =>
      (await store.list({ q, limit: 10, before: null })).map(({ id }) => id);
    expect(await found(null)).toEqual(['id-1', 'id-2']);
    expect(await found('äöü')).toEqual(['id-2']);
    expect(await found('100 %')).toEqual(['id-2']);
    expect(await found('MESSAGE 449')).toEqual(['id-1']);
    expect(await found('größe')).toEqual(['id-1', 'id-2']);
    expect(await found('_essage')).toEqual([]);
    const only = stored('only', 2);
    await store.replace(row(1, { revision: 2, messageCount: 1 }), [only]);
    expect(await store.messagesOf('id-1', { limit: 10, before: 10 })).toEqual({
      firstIndex: 0,
      messages: [only],
    });
    await store.remove('id-1');
    expect(await found(null)).toEqual(['id-2']);
    expect((await store.messagesOf('id-1', { limit: 10, before: 10 })).messages).toEqual([]);
  });

  it('versions of messages and texts of attachments are read as stored, and are removed with their conversation', async () => {
    await migrate(used.current);
    const store = new ConversationStore(used.current);
    const [one, two, three, other] = [stored('1'), stored('2'), stored('3'), stored('other 🙂', 2)];
    await store.add(row(1, { messageCount: 3 }), [one, two, three]);
    const text = `${'字🙂'.repeat(50_000)}end`;
    const texts = [{ refId: 'file-1', excerpt: 'some', text }];
    const changed = row(1, { messageCount: 2, revision: 2 });
    await store.append(changed, [other], { cut: true, texts });
    expect((await store.messagesOf('id-1', { limit: 9, before: 9 })).messages).toEqual([
      one,
      other,
    ]);
    expect(await store.versions.list('id-1')).toEqual([
      { id: two.id, parentId: one.id, sequence: 0, hiddenAt: 2 },
      { id: three.id, parentId: two.id, sequence: 0, hiddenAt: 2 },
    ]);
    await store.show(row(1, { messageCount: 3, revision: 3 }), 1, [two.id, three.id]);
    const { messages } = await store.messagesOf('id-1', { limit: 9, before: 9 });
    expect(messages).toEqual([one, two, three]);
    expect(await store.versions.list('id-1')).toEqual([
      { id: other.id, parentId: one.id, sequence: 2, hiddenAt: 3 },
    ]);
    const total = text.length;
    const slice = (offset: number, limit: number) =>
      store.attachments.slice('id-1', 'file-1', { offset, limit });
    for (const [offset, limit] of [
      [0, 10],
      [65_530, 20],
      [131_071, 3],
      [total - 5, 100],
      [total, 5],
    ] as const)
      expect(await slice(offset, limit)).toEqual({
        text: text.slice(offset, offset + limit),
        totalCharacters: total,
      });
    const from = { from: 'id-1', ids: ['file-1'] };
    await store.add(row(3, { messageCount: 1 }), [one], from);
    await store.remove('id-1');
    expect(await store.versions.list('id-1')).toEqual([]);
    expect(await slice(0, 1)).toBeNull();
    expect(await store.attachments.excerpts('id-3')).toEqual(new Map([['file-1', 'some']]));
    expect(await store.attachments.whole('id-3', 'file-1')).toBe(text);
  });

  it('folders, pins, the archive and settings are stored and can be searched', async () => {
    await migrate(used.current);
    const store = new ConversationStore(used.current);
    const settings = { systemPrompt: 'Größe 🙂', temperature: 0.5, disabledTools: ['*'] };
    const stored = row(5, {
      id: 'kept',
      folder: 'Größe 🙂',
      pinned: true,
      settings,
      titledBy: 'model',
    });
    await store.add(stored, []);
    await store.add(row(6, { id: 'gone', folder: 'Größe 🙂', archived: true }), []);
    expect(await store.find('kept')).toEqual(stored);
    const query = { q: null, limit: 10, before: null };
    const ids = async (more: object) =>
      (await store.list({ ...query, ...more })).map(({ id }) => id);
    expect(await ids({ folder: 'Größe 🙂', archived: false })).toEqual(['kept']);
    expect(await ids({ archived: true })).toEqual(['gone']);
    expect(await ids({ pinned: true })).toEqual(['kept']);
    expect(await ids({ folder: null })).not.toContain('kept');
    expect(await store.folders()).toContainEqual({ name: 'Größe 🙂', conversations: 1 });
    expect(await store.titles(['kept', 'nobody'])).toEqual(new Map([['kept', stored.title]]));
  });
});
