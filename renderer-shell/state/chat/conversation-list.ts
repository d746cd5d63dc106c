import type { Client } from '../../../service/client/index.ts';
import type { ConversationSummary } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Watched } from '../../core/store.ts';
import type { ListPage } from '../searched-list.ts';
import { SearchedList } from '../searched-list.ts';

/** The filter of the conversation list. */
export type ListFilter = { kind: 'all' } | { kind: 'archive' } | { kind: 'folder'; name: string };

/**
 * Creates the list of conversations: pinned ones first, then the others by last change. A search
 * includes archived ones.
 */
export function createConversationList(
  client: Client,
  filter: Watched<ListFilter>,
): SearchedList<ConversationSummary> {
  const read = async (page: ListPage): Promise<ConversationSummary[]> => {
    const call = (pinned: 'true' | 'false') =>
      client.call(api.conversations.list, { query: { ...page, ...queryOf(filter.get()), pinned } });
    if (page.q !== undefined)
      return client.call(api.conversations.list, { query: { ...page, archived: 'all' } });
    if (page.before !== undefined) return call('false');
    return (await Promise.all([call('true'), call('false')])).flat();
  };
  return new SearchedList({ read, idOf: ({ id }) => id });
}

function queryOf(filter: ListFilter): { folder?: string; archived?: 'true' } {
  if (filter.kind === 'archive') return { archived: 'true' };
  return filter.kind === 'folder' ? { folder: filter.name } : {};
}
