import type { HostMessage } from '../contract/host-message.ts';
import { formatterOf } from '../messages/format.ts';
import chinese from '../messages/zh-CN.json' with { type: 'json' };

const format = formatterOf(chinese.service, 'zh-CN');

/** What a Chinese screen shows; null where there is no message, or none that the catalog knows. */
export const inChinese = (message: HostMessage | null | undefined): string | null =>
  message ? format(message) : null;
