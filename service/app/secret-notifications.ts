import type { LostSecret } from '../contract/index.ts';
import { hostNotice, type NotificationCenter } from '../features/notifications/index.ts';

/** Most secrets named in one notification, whose text is limited to a few thousand characters. */
const maxNamed = 20;

/** A feature that stores secrets and knows which of them can no longer be decrypted. */
export interface SecretHolder {
  lostSecrets(): LostSecret[];
}

/** Sends one notification for all secrets that must be entered again. */
export async function notifyLostSecrets(
  center: NotificationCenter,
  holders: readonly SecretHolder[],
): Promise<void> {
  const lost = holders.flatMap((holder) => holder.lostSecrets());
  if (lost.length === 0) return;
  const secrets = lost.slice(0, maxNamed).map((one) => ({
    ...one,
    name: one.name.slice(0, 100),
    ...(one.setting === undefined ? {} : { setting: one.setting.slice(0, 100) }),
  }));
  const more = lost.length - secrets.length;
  await center.sendOnce(hostNotice('secrets_lost', { secrets, more }, { level: 'warning' }));
}
