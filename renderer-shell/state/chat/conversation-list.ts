import type { Client } from '../../../service/client/index.ts';
import type { ConversationSummary } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Watched } from '../../core/store.ts';
import type { ListPage } from '../searched-list.ts';
import { SearchedList } from '../searched-list.ts';

/** The part of the conversations that is listed. */
export type ListFilter = { kind: 'all' } | { kind: 'archive' } | { kind: 'folder'; name: string };

/** The conversations: pinned ones, then the others, the one changed last first. A search finds archived ones, too. */
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
