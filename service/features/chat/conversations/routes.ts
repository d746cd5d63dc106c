import { api } from '../../../contract/index.ts';
import { type Route, route } from '../../../http/route.ts';
import type { ConversationBook } from './conversation-book.ts';
import { exportConversation } from './export-conversation.ts';

export function conversationRoutes(book: ConversationBook): Route[] {
  const { conversations } = api;
  return [
    route(conversations.list, ({ query }) => book.list(query)),
    route(conversations.show, ({ params, query }) => book.show(params.id, query)),
    route(conversations.create, ({ body }) => book.create(body.title, body.messages)),
    route(conversations.replace, ({ params, body }) => book.replace(params.id, body)),
    route(conversations.rename, ({ params, body }) => book.rename(params.id, body.title)),
    route(conversations.remove, async ({ params }) => {
      await book.remove(params.id);
      return undefined;
    }),
    route(conversations.fork, ({ params, body }) => book.fork(params.id, body.messageIndex)),
    route(conversations.select, ({ params, query, body }) =>
      book.select(params.id, body.messageId, query),
    ),
    route(conversations.export, async ({ params, query }) => {
      const conversation = await book.show(params.id);
      const versions = await book.hidden(params.id);
      return exportConversation({ ...conversation, versions }, query.format);
    }),
  ];
}
