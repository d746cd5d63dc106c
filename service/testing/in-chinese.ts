import type { HostMessage } from '../contract/host-message.ts';
import { formatterOf } from '../messages/format.ts';
import chinese from '../messages/zh-CN.json' with { type: 'json' };

const format = formatterOf(chinese.service, 'zh-CN');

/** The text on a Chinese screen; null if there is no message, or none that the catalog has. */
export const inChinese = (message: HostMessage | null | undefined): string | null =>
  message ? format(message) : null;
