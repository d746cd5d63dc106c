import { api } from '../../contract/index.ts';
import type { TicketRegistry } from '../../http/access.ts';
import type { Topic } from '../../core/topic.ts';
import { type Route, route } from '../../http/route.ts';
import { type NotificationCenter, pluginPrefix } from './notification-center.ts';

export type SourceCheck = (pluginId: string) => void;

/** Events that a shell receives beside notifications. */
export interface ShellTopics {
  mcpChanged: Topic<undefined>;
  /** Emits the id. */
  pluginReplaced: Topic<string>;
}

const heartbeatMs = 25_000;

export function notificationRoutes(
  center: NotificationCenter,
  tickets: TicketRegistry,
  checkPlugin: SourceCheck,
  { mcpChanged, pluginReplaced }: ShellTopics,
): Route[] {
  return [
    route(api.notifications.create, ({ body }) => {
      if (body.source.startsWith(pluginPrefix)) checkPlugin(body.source.slice(pluginPrefix.length));
      return center.notify(body);
    }),
    route(api.notifications.list, ({ query }) =>
      center.list(query.limit, query.unreadOnly === 'true'),
    ),
    route(api.notifications.unreadCount, async () => ({ count: await center.unreadCount() })),
    route(api.notifications.read, ({ params }) => center.read(params.id)),
    route(api.notifications.readAll, async () => ({ updated: await center.readAll() })),
    route(api.notifications.remove, ({ params }) => center.remove(params.id)),
    route(api.notifications.ticket, () => tickets.mint('notifications')),
    route(api.notifications.stream, ({ query: { also } }) => ({
      heartbeatMs,
      open(sink) {
        const created = center.created.subscribe((event) => sink.send(event));
        if (also === undefined) return created;
        const changed = mcpChanged.subscribe(() => sink.send({ event: 'mcp_changed', data: {} }));
        const ends = [created, changed];
        if (also === 'shell')
          ends.push(
            pluginReplaced.subscribe((id) => sink.send({ event: 'plugin_replaced', data: { id } })),
          );
        return () => {
          for (const end of ends) end();
        };
      },
    })),
  ];
}
