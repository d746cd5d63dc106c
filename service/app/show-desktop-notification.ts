import type { Notification } from '../contract/index.ts';
import type { Desktop } from '../platform/desktop.ts';
import { messagesFor } from '../messages/localize.ts';

/** Shows a notification on the desktop, in the language of the settings. */
export async function showDesktopNotification(
  desktop: Desktop,
  notification: Notification,
  language: string,
): Promise<void> {
  const inLanguage = await messagesFor(language);
  const { title, body, titleMessage, bodyMessage } = notification;
  desktop.notified?.({
    ...notification,
    title: inLanguage(titleMessage, title),
    body: body === null ? null : inLanguage(bodyMessage, body),
  });
}
