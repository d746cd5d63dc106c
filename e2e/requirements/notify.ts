import { from } from './requirement.ts';

export const notify = [
  ...from('Notification', {
    'NOTIFY-01':
      'A notification is `{id, source, level, title, body, link, read, createdAt, readAt}`.',
    'NOTIFY-02': '`level` is `info`, `success`, `warning` or `error`; nothing else is stored.',
    'NOTIFY-03': '`source` names the originator: `host`, `agent` or `plugin:<id>`.',
    'NOTIFY-04': '`body` and `link` are optional on create.',
  }),
  ...from('Notifications', {
    'NOTIFY-05':
      '`POST /api/notifications` `{source, level, title, body?, link?}` answers the created notification.',
    'NOTIFY-06': 'A created notification is broadcast live to the open streams.',
    'NOTIFY-07': '`GET /api/notifications` answers the history, newest first.',
    'NOTIFY-08': '`GET /api/notifications?limit=` answers at most that many rows.',
    'NOTIFY-09': '`GET /api/notifications?unreadOnly=true` answers the unread ones only.',
    'NOTIFY-10':
      '`GET /api/notifications/unread-count` answers the number of unread notifications.',
  }),
  ...from('Notifications; Notification', {
    'NOTIFY-11':
      '`POST /api/notifications/{id}/read` turns an unread notification into a read one.',
    'NOTIFY-12': 'Reading a notification twice changes nothing more (idempotent).',
    'NOTIFY-13': '`POST /api/notifications/read-all` marks every notification as read.',
    'NOTIFY-14': '`DELETE /api/notifications/{id}` removes the notification.',
  }),
  ...from('Notification stream (GET /api/notifications/stream?ticket=)', {
    'NOTIFY-15':
      'The stream sends the event `notification` with `{id, source, level, title, body, link, read, createdAt, readAt}`.',
    'NOTIFY-16':
      'The event is sent after the row is persisted: a client that receives it finds the row in the history.',
    'NOTIFY-17':
      'The stream does not replay history: a new connection gets only what comes after it.',
    'NOTIFY-18':
      'A live event carries the id of its row, so that clients can dedupe against `GET /api/notifications`.',
    'NOTIFY-19':
      'After a drop a fresh ticket opens the stream again, and the history holds what was missed.',
    'NOTIFY-20': 'The shell keeps one long-lived shared connection and dedupes live events by id.',
  }),
  ...from('Notification stream (GET /api/notifications/stream?ticket=); Authentication', {
    'NOTIFY-21':
      'The notify bridge of a plugin reaches the center only with the permission `notifications`.',
  }),
  ...from('Notification stream (GET /api/notifications/stream?ticket=)', {
    'NOTIFY-22': 'An agent run that completes or fails makes a notification.',
    'NOTIFY-23': 'An agent run that the user cancels makes no notification.',
  }),
  ...from('What the service does', {
    'NOTIFY-24': 'Notifications are persisted: they survive a restart.',
  }),
];
