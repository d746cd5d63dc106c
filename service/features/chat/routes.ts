import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { SharedFiles } from '../plugins/index.ts';
import type { ChatDesk } from './chat-desk.ts';
import { contextSize } from './context-size.ts';
import type { ConversationBook } from './conversations/conversation-book.ts';
import type { FrameOptions } from './turn-frame.ts';

export interface ChatRouteOptions {
  desk: ChatDesk;
  book: ConversationBook;
  frame: FrameOptions;
  shared: SharedFiles;
  incoming: () => Promise<string>;
  checkRules: (rules: readonly string[]) => void;
}

export function chatRoutes(options: ChatRouteOptions): Route[] {
  const { desk, book, frame, shared, incoming, checkRules } = options;
  return [
    route(api.chat.context, async ({ query }) => {
      const id = query.conversationId;
      return contextSize(query, id === undefined ? [] : (await book.show(id)).messages, frame);
    }),
    route(api.chat.start, ({ body }) => desk.start(body)),
    route(api.chat.show, ({ params }) => desk.show(params.streamId)),
    route(api.chat.approve, ({ params, body }) => {
      if (body.rules) checkRules(body.rules);
      return desk.approve(params.streamId, body);
    }),
    route(api.chat.elicit, ({ params, body }) => desk.elicit(params.streamId, body)),
    route(api.chat.cancel, ({ params }) => desk.stop(params.streamId)),
    route(api.chat.upload, ({ files, body }) => shared.upload(files, body['paths[]']), {
      uploadDirectory: incoming,
    }),
  ];
}
