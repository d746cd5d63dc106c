import type { LostSecret } from '../contract/index.ts';
import type { ModelsFeature } from '../features/models/index.ts';
import type { SettingsFeature } from '../features/settings/index.ts';
import type { Lack } from '../features/diagnostics/index.ts';
import {
  hostNotice,
  type NotificationCenter,
  secretMessage,
} from '../features/notifications/index.ts';
import { msg } from '../messages/index.ts';
import type { ClusterKey } from '../platform/cluster/cluster-key.ts';

/** Most secrets named in one notification, whose text is limited to a few thousand characters. */
const maxNamed = 20;

/** A feature that stores secrets and knows which of them can no longer be decrypted. */
export interface SecretHolder {
  lostSecrets(): LostSecret[];
}

/** Returns the features that store secrets of this host. */
export const secretHolders = (features: {
  settings: Pick<SettingsFeature, 'service'>;
  models: Pick<ModelsFeature, 'aiConfig' | 'providers'>;
  mcp: SecretHolder;
  plugins: SecretHolder;
}): SecretHolder[] => {
  const { settings, models, mcp, plugins } = features;
  return [settings.service, models.aiConfig, models.providers, mcp, plugins];
};

/** Sends one notification for all secrets that must be entered again. */
export async function notifyLostSecrets(
  center: NotificationCenter,
  holders: readonly SecretHolder[],
  clusterKey: ClusterKey | null,
): Promise<void> {
  const lost = holders.flatMap((holder) => holder.lostSecrets());
  if (lost.length === 0) return;
  const secrets = lost.slice(0, maxNamed).map((one) => ({
    ...one,
    name: one.name.slice(0, 100),
    ...(one.setting === undefined ? {} : { setting: one.setting.slice(0, 100) }),
  }));
  const more = lost.length - secrets.length;
  const cluster = clusterKey?.isMissing === true ? { cluster: true } : {};
  await center.sendOnce(
    hostNotice('secrets_lost', { secrets, more, ...cluster }, { level: 'warning' }),
  );
}

/** Lost secrets as diagnostics list them. */
export const lackingSecrets = (
  holders: readonly SecretHolder[],
  clusterKey: ClusterKey | null,
): Lack[] =>
  holders
    .flatMap((holder) => holder.lostSecrets())
    .map((secret) => ({
      what: secretMessage(secret),
      why: msg('diagnostics.secretLost'),
      fix: msg(clusterKey?.isMissing === true ? 'cluster.keyMissing' : 'diagnostics.secretFix'),
    }));
