import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../../contract/index.ts';
import { migrate } from '../../../platform/database/migrate.ts';
import { everyDatabase } from '../../../testing/database-servers/index.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { type ConversationRow, ConversationStore } from './conversation-store.ts';

const row = (number: number, change: Partial<ConversationRow> = {}): ConversationRow => ({
  ...{ id: `id-${number}`, title: `Größe ${number} 🙂`, parentId: null, revision: 1 },
  ...{ messageCount: 0, createdAt: '2026-01-02T03:04:05.678Z' },
  updatedAt: `2026-01-0${number}T03:04:05.678Z`,
  ...change,
});
const user = (content: string): ChatMessage => ({ role: 'user', content });

describe.each(everyDatabase)('on $type', (type) => {
  const used = useDatabase(type);

  it('conversations and their messages come back as they were stored, and are found by words', async () => {
    await migrate(used.current);
    const store = new ConversationStore(used.current);
    const many = Array.from({ length: 450 }, (_, index) => user(`message ${index}`));
    await store.add(row(1, { messageCount: 450 }), many);
    await store.add(row(2, { parentId: 'id-1', messageCount: 1 }), [user('100 % ÄÖÜ 🙂')]);
    expect(await store.find('id-2')).toEqual(row(2, { parentId: 'id-1', messageCount: 1 }));
    expect(await store.messagesOf('id-1', { limit: 3, before: 450 })).toEqual({
      firstIndex: 447,
      messages: many.slice(447),
    });
    const large = user(`${'x'.repeat(3_000_000)}🙂`);
    const grown = row(1, { messageCount: 451, updatedAt: '2026-01-03T00:00:00.000Z' });
    await store.append(grown, [large]);
    expect((await store.messagesOf('id-1', { limit: 1, before: 451 })).messages).toEqual([large]);
    await store.rewrite(grown, 450, user('short'));
    await store.rewrite(grown, 450, user('short'));
    expect((await store.messagesOf('id-1', { limit: 1, before: 451 })).messages).toEqual([
      user('short'),
    ]);
    const found = async (q: string | null): Promise<string[]> =>
      (await store.list({ q, limit: 10, before: null })).map(({ id }) => id);
    expect(await found(null)).toEqual(['id-1', 'id-2']);
    expect(await found('äöü')).toEqual(['id-2']);
    expect(await found('100 %')).toEqual(['id-2']);
    expect(await found('MESSAGE 449')).toEqual(['id-1']);
    expect(await found('größe')).toEqual(['id-1', 'id-2']);
    expect(await found('_essage')).toEqual([]);
    await store.replace(row(1, { revision: 2, messageCount: 1 }), [user('only')]);
    expect(await store.messagesOf('id-1', { limit: 10, before: 10 })).toEqual({
      firstIndex: 0,
      messages: [user('only')],
    });
    await store.remove('id-1');
    expect(await found(null)).toEqual(['id-2']);
    expect((await store.messagesOf('id-1', { limit: 10, before: 10 })).messages).toEqual([]);
  });
});
