import type { Notification } from '../contract/index.ts';
import { noticeIn } from '../contract/index.ts';
import type { Desktop } from '../platform/desktop.ts';
import { translatorFor } from './localize.ts';

/** Shows a notification on the desktop, in the language of the person. */
export async function tellNotice(
  desktop: Desktop,
  notification: Notification,
  language: string,
): Promise<void> {
  const translate = await translatorFor(language);
  desktop.notified?.({ ...notification, ...noticeIn(notification, language, translate) });
}
