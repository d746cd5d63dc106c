import { setImmediate as immediate } from 'node:timers/promises';
import type { McpFeature } from '../features/mcp/index.ts';
import type { ModelsFeature } from '../features/models/index.ts';
import type { NotificationsFeature } from '../features/notifications/index.ts';
import type { SettingsFeature } from '../features/settings/index.ts';
import type { UsageFeature } from '../features/usage/index.ts';
import type { AppContext } from './app-context.ts';
import { notifyLostSecrets } from './secret-notifications.ts';
import type { AiFeatures } from './compose-ai-features.ts';

/** Features with cached rows that other hosts may change. */
export interface SharedFeatures {
  settings: SettingsFeature;
  models: ModelsFeature;
  usage: UsageFeature;
  mcp: McpFeature;
  notifications: NotificationsFeature;
  aiFeatures: AiFeatures;
}

/** Updates cached rows after changes of other hosts in the cluster. */
export async function followOthers(
  context: Pick<AppContext, 'cluster' | 'clusterKey' | 'log'>,
  shared: SharedFeatures,
): Promise<void> {
  const { cluster, log } = context;
  if (cluster === null) return;
  const { notifications, aiFeatures } = shared;
  await notifications.center.followOthers();
  const reload = async (table: string): Promise<void> => {
    const isAbout = (name: string): boolean => table === name || table === '*';
    if (isAbout('settings')) await reloadSettings(context, shared);
    if (isAbout('notifications')) await notifications.center.followOthers();
    await aiFeatures.tableChanged(table);
  };
  const pending = new Set<string>();
  cluster.tableChanged.subscribe((table) => {
    if (pending.has(table)) return;
    pending.add(table);
    // Wake-ups that arrive together lead to a single reload.
    void immediate()
      .then(() => {
        pending.delete(table);
        return reload(table);
      })
      .catch((error: unknown) =>
        log.warn('database', `Changes of other hosts could not be read: ${String(error)}`),
      );
  });
}

/**
 * Reloads settings that other hosts stored. Secrets that they encrypted with another key are listed
 * in a notification, since they must be entered here, too.
 */
export async function reloadSettings(
  { clusterKey }: Pick<AppContext, 'clusterKey'>,
  shared: SharedFeatures,
): Promise<void> {
  const { settings, models, usage, mcp, notifications } = shared;
  const holders = [settings.service, models.aiConfig, models.providers, mcp];
  const lost = (): string => JSON.stringify(holders.map((holder) => holder.lostSecrets()));
  const before = lost();
  await Promise.all([
    settings.service.reload(),
    models.aiConfig.reload(),
    models.providers.reload(),
    usage.reload(),
    mcp.reload(),
  ]);
  if (lost() !== before) await notifyLostSecrets(notifications.center, holders, clusterKey);
}
