import type { Client } from '../../../service/client/index.ts';
import type { ConversationSummary } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { SearchedList } from '../searched-list.ts';

/** The conversations, the one changed last first. */
export const createConversationList = (client: Client): SearchedList<ConversationSummary> =>
  new SearchedList({
    read: (query) => client.call(api.conversations.list, { query }),
    idOf: ({ id }) => id,
  });
