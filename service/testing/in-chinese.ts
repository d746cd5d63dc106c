import type { HostMessage } from '../contract/host-message.ts';
import { formatterOf } from '../messages/format.ts';
import chinese from '../messages/zh-CN.json' with { type: 'json' };

const format = formatterOf(chinese.service, 'zh-CN');

/** Returns the Chinese text of a message; null if there is no message or no translation. */
export const inChinese = (message: HostMessage | null | undefined): string | null =>
  message ? format(message) : null;
