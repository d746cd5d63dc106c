import type { IncomingMessage } from 'node:http';
import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { SharedFiles } from '../plugins/index.ts';
import type { ChatService } from './chat-service.ts';
import { contextSize } from './context-size.ts';
import type { ConversationService } from './conversations/conversation-service.ts';
import type { FrameOptions } from './turn-frame.ts';

/** Dependencies of the routes of chats and conversations. */
export interface ChatRouteOptions {
  chatService: ChatService;
  conversationService: ConversationService;
  frame: FrameOptions;
  shared: SharedFiles;
  incoming: () => Promise<string>;
  checkRules: (rules: readonly string[]) => void;
}

export function chatRoutes(options: ChatRouteOptions): Route[] {
  const { chatService, conversationService, frame, shared, incoming, checkRules } = options;
  return [
    route(api.chat.context, async ({ query }) => {
      const id = query.conversationId;
      return contextSize(
        query,
        id === undefined ? { messages: [] } : await conversationService.show(id),
        frame,
      );
    }),
    route(api.chat.start, ({ body }) => chatService.start(body)),
    route(api.runStreams.turn, ({ params, query, req }) =>
      chatService.events(params.streamId, query.after ?? lastEventId(req)),
    ),
    route(api.chat.show, ({ params }) => chatService.show(params.streamId)),
    route(api.chat.approve, ({ params, body }) => {
      if (body.rules) checkRules(body.rules);
      return chatService.approve(params.streamId, body);
    }),
    route(api.chat.elicit, ({ params, body }) => chatService.elicit(params.streamId, body)),
    route(api.chat.cancel, ({ params }) => chatService.stop(params.streamId)),
    route(api.chat.upload, ({ files, body }) => shared.upload(files, body['paths[]']), {
      uploadDirectory: incoming,
    }),
  ];
}

/** A browser sends this header when it reconnects. */
function lastEventId({ headers }: IncomingMessage): number {
  const value = Number(headers['last-event-id'] ?? '');
  return Number.isSafeInteger(value) ? value : 0;
}
