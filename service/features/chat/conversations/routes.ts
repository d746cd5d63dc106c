import { api, type ModelChoice } from '../../../contract/index.ts';
import { type Route, route } from '../../../http/route.ts';
import type { ConversationService } from './conversation-service.ts';
import { attachmentText } from '../attachments/attachment-text.ts';
import { allVersions } from './all-versions.ts';
import { exportConversation } from './export-conversation.ts';

/** `checkModel` throws 404 `unknown_provider`. */
export function conversationRoutes(
  service: ConversationService,
  checkModel: (choice: ModelChoice) => void,
): Route[] {
  const { conversations } = api;
  return [
    route(conversations.list, ({ query }) => service.list(query)),
    route(conversations.show, ({ params, query }) => service.show(params.id, query)),
    route(conversations.create, ({ body }) => service.create(body.title, body.messages)),
    route(conversations.replace, ({ params, body }) => service.replace(params.id, body)),
    route(conversations.update, ({ params, body }) => {
      if (body.model) checkModel(body.model);
      return service.update(params.id, body);
    }),
    route(conversations.folders, () => service.folders()),
    route(conversations.remove, async ({ params }) => {
      await service.remove(params.id);
      return undefined;
    }),
    route(conversations.fork, ({ params, body }) => service.fork(params.id, body.messageIndex)),
    route(conversations.select, ({ params, query, body }) =>
      service.select(params.id, body.messageId, query),
    ),
    route(conversations.versions, ({ params }) => allVersions(service, params.id)),
    route(conversations.attachment, ({ params }) =>
      attachmentText(service, params.id, params.refId),
    ),
    route(conversations.export, async ({ params, query }) => {
      const conversation = await service.show(params.id);
      const versions = await service.hidden(params.id);
      return exportConversation({ ...conversation, versions }, query.format);
    }),
  ];
}
