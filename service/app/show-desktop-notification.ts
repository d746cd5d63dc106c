import type { Notification } from '../contract/index.ts';
import { localizeNotification } from '../contract/index.ts';
import type { Desktop } from '../platform/desktop.ts';
import { translatorFor } from './localize.ts';

/** Shows a notification on the desktop, in the language of the person. */
export async function showDesktopNotification(
  desktop: Desktop,
  notification: Notification,
  language: string,
): Promise<void> {
  const translate = await translatorFor(language);
  desktop.notified?.({
    ...notification,
    ...localizeNotification(notification, language, translate),
  });
}
