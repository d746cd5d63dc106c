import { z } from 'zod';
import { endpoint, events, ticket, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';

export const NotificationLevel = z.enum(['info', 'success', 'warning', 'error']);

const ShellPath = z
  .string()
  .max(2_000)
  .regex(/^\/(?![/\\])[^\s\\\p{Cc}\p{Cs}]*$/u, 'field.shellLink');
const HttpsUrl = z
  .url({ protocol: /^https$/ })
  .max(2_000)
  .regex(/^[^\s\p{Cc}\p{Cs}]*$/u);
const Link = z.union([ShellPath, HttpsUrl], {
  error: 'field.shellLink',
});

export const Notification = z.object({
  id: z.string(),
  /** `host`, `agent` or `plugin:<id>`. */
  source: z.string(),
  level: NotificationLevel,
  title: z.string(),
  body: z.string().nullable(),
  link: z.string().nullable(),
  /** Code and parameters of a notification of the host; `title` and `body` are in English. */
  code: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
  titleMessage: HostMessage.optional(),
  bodyMessage: HostMessage.optional(),
  read: z.boolean(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  readAt: z.string().nullable(),
});
export type Notification = z.output<typeof Notification>;

/** Plain text that every database can store: no NUL and no lone surrogates. */
const text = z.string().regex(/^[^\0\p{Cs}]*$/u, 'field.plainText');

export const NewNotification = z.strictObject({
  source: z.string().regex(/^(host|agent|plugin:.{1,128})$/, 'field.notificationSource'),
  level: NotificationLevel,
  title: text.min(1).max(200),
  body: text.max(4_000).nullish(),
  link: Link.nullish(),
});
export type NewNotification = z.output<typeof NewNotification>;

const ById = z.object({ id: z.string().max(64) });

/** Query numbers arrive as text; only plain decimal digits are accepted. */
const limit = z
  .string()
  .regex(/^\d{1,9}$/, 'field.pageLimit')
  .transform(Number)
  .pipe(z.int().min(1).max(100));

export const StreamTicket = z.object({ ticket: z.string(), expiresInSeconds: z.int() });

export const notifications = {
  create: endpoint({
    method: 'POST',
    path: '/api/notifications',
    access: token,
    summary: 'Store a notification and send it to every listener',
    body: NewNotification,
    reply: Notification,
    status: 201,
    problems: ['unknown_plugin', 'missing_permission'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/notifications',
    access: token,
    summary: 'The newest notifications first',
    query: z.object({
      limit: limit.default(50),
      unreadOnly: z.enum(['true', 'false']).default('false'),
    }),
    reply: z.array(Notification),
  }),
  unreadCount: endpoint({
    method: 'GET',
    path: '/api/notifications/unread-count',
    access: token,
    summary: 'How many are unread',
    reply: z.object({ count: z.int() }),
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/notifications/{id}/read',
    access: token,
    summary: 'Mark one as read; a second time keeps the first time',
    params: ById,
    reply: Notification,
  }),
  readAll: endpoint({
    method: 'POST',
    path: '/api/notifications/read-all',
    access: token,
    summary: 'Mark all as read',
    reply: z.object({ updated: z.int() }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/notifications/{id}',
    access: token,
    summary: 'Remove one',
    params: ById,
  }),
  ticket: endpoint({
    method: 'POST',
    path: '/api/notifications/stream-ticket',
    access: token,
    summary: 'A one-time ticket for the stream',
    reply: StreamTicket,
  }),
  stream: endpoint({
    method: 'GET',
    path: '/api/notifications/stream',
    access: ticket('notifications', { orToken: false }),
    summary:
      'Every new notification, after it was stored; with `also=mcp` also that MCP servers stand otherwise, with `also=shell` that and which plugin was replaced',
    query: z.object({ also: z.enum(['mcp', 'shell']).optional() }),
    reply: events({
      notification: Notification,
      mcp_changed: z.object({}),
      plugin_replaced: z.object({ id: z.string() }),
    }),
  }),
} as const;
