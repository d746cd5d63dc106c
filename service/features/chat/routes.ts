import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { SharedFiles } from '../plugins/index.ts';
import type { ChatDesk } from './chat-desk.ts';

export interface ChatRouteOptions {
  desk: ChatDesk;
  shared: SharedFiles;
  incoming: () => Promise<string>;
  checkRules: (rules: readonly string[]) => void;
}

export function chatRoutes({ desk, shared, incoming, checkRules }: ChatRouteOptions): Route[] {
  return [
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
