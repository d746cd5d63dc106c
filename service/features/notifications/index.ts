/** The notification center: stored notifications and a live stream of new ones. */
import { Topic } from '../../core/topic.ts';
import type { TicketRegistry } from '../../http/access.ts';
import type { Route } from '../../http/route.ts';
import type { Database } from '../../platform/database/database.ts';
import { NotificationCenter } from './notification-center.ts';
import { NotificationStore } from './notification-store.ts';
import { notificationRoutes, type SourceCheck } from './routes.ts';

export {
  hostNotification as hostNotice,
  type HostNotification as HostNotice,
} from './host-notification.ts';
export { secretMessage } from './notification-messages.ts';
export type { NotificationCenter } from './notification-center.ts';

/** The notification center, its routes, and the topics that its stream also sends. */
export interface NotificationsFeature {
  center: NotificationCenter;
  routes: Route[];
  /** Emit when the state of MCP servers changed, for listeners of the stream. */
  mcpChanged: Topic<undefined>;
  /** Emit the id of a plugin whose package was replaced. */
  pluginReplaced: Topic<string>;
}

export function createNotifications(options: {
  database: Database;
  tickets: TicketRegistry;
  /** Throws if a plugin may not send notifications. */
  checkPlugin: SourceCheck;
}): NotificationsFeature {
  const center = new NotificationCenter(new NotificationStore(options.database));
  const topics = { mcpChanged: new Topic<undefined>(), pluginReplaced: new Topic<string>() };
  const { tickets, checkPlugin } = options;
  return {
    center,
    ...topics,
    routes: notificationRoutes(center, tickets, checkPlugin, topics),
  };
}
