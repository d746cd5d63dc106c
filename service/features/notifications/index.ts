/** The notification center: stored rows, and a live stream of what is new. */
import type { Topic } from '../../core/topic.ts';
import type { TicketBook } from '../../http/access.ts';
import type { Route } from '../../http/route.ts';
import type { Database } from '../../platform/database/database.ts';
import { NotificationCenter } from './notification-center.ts';
import { NotificationStore } from './notification-store.ts';
import { notificationRoutes, type SourceCheck } from './routes.ts';

export { hostNotice, type HostNotice } from './host-notice.ts';
export type { NotificationCenter } from './notification-center.ts';
export type { SourceCheck } from './routes.ts';

export interface NotificationsFeature {
  center: NotificationCenter;
  routes: Route[];
}

export function createNotifications(options: {
  database: Database;
  tickets: TicketBook;
  /** Throws when a plugin may not notify. */
  checkPlugin: SourceCheck;
  /** That MCP servers stand otherwise than before, for those who listen to that as well. */
  mcpChanged: Topic<undefined>;
}): NotificationsFeature {
  const center = new NotificationCenter(new NotificationStore(options.database));
  return {
    center,
    routes: notificationRoutes(center, options.tickets, options.checkPlugin, options.mcpChanged),
  };
}
