import { setImmediate as immediate } from 'node:timers/promises';
import type { ModelsFeature } from '../features/models/index.ts';
import type { NotificationsFeature } from '../features/notifications/index.ts';
import type { SettingsFeature } from '../features/settings/index.ts';
import type { AppContext } from './app-context.ts';
import { notifyLostSecrets } from './secret-notifications.ts';
import type { AiFeatures } from './compose-ai-features.ts';

/** The features that keep rows in memory which other hosts may change. */
export interface SharedFeatures {
  settings: SettingsFeature;
  models: ModelsFeature;
  notifications: NotificationsFeature;
  aiFeatures: AiFeatures;
}

/** Keeps what is in memory like the rows, whichever host of the cluster changes them. */
export async function followOthers(
  { cluster, log }: Pick<AppContext, 'cluster' | 'log'>,
  { settings, models, notifications, aiFeatures }: SharedFeatures,
): Promise<void> {
  if (cluster === null) return;
  await notifications.center.followOthers();
  const reload = async (table: string): Promise<void> => {
    const isAbout = (name: string): boolean => table === name || table === '*';
    if (isAbout('settings')) await reloadSettings(settings, models, notifications);
    if (isAbout('notifications')) await notifications.center.followOthers();
    await aiFeatures.tableChanged(table);
  };
  const pending = new Set<string>();
  cluster.tableChanged.subscribe((table) => {
    if (pending.has(table)) return;
    pending.add(table);
    // Wake-ups of one moment are answered by reading once.
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

/** What another host has encrypted with its own key has to be entered here, too. */
async function reloadSettings(
  settings: SettingsFeature,
  models: ModelsFeature,
  { center }: NotificationsFeature,
): Promise<void> {
  const before = lostIn(settings, models);
  await Promise.all([settings.service.reload(), models.aiConfig.reload()]);
  const holders = [settings.service, models.aiConfig];
  if (lostIn(settings, models) !== before) await notifyLostSecrets(center, holders);
}

const lostIn = (settings: SettingsFeature, models: ModelsFeature): string =>
  JSON.stringify([settings.service.lostSecrets(), models.aiConfig.lostSecrets()]);
