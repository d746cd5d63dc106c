import type { DatabaseChange } from '../contract/index.ts';
import type { ModelsFeature } from '../features/models/index.ts';
import type { NotificationCenter, NotificationsFeature } from '../features/notifications/index.ts';
import type { PluginsFeature } from '../features/plugins/index.ts';
import type { SettingsFeature } from '../features/settings/index.ts';
import type { DatabaseConfig } from '../platform/database/database-config.ts';
import type { AppContext } from './app-context.ts';
import { databaseIdName, rememberDatabase, notifyDatabaseChange } from './database-change.ts';
import { notifySkippedSamples } from './plugin-notifications.ts';
import { type SecretHolder, notifyLostSecrets, secretHolders } from './secret-notifications.ts';
import { showDesktopNotification } from './show-desktop-notification.ts';

interface StartupOptions {
  context: AppContext;
  databaseConfig: DatabaseConfig;
  settings: SettingsFeature;
  models: Pick<ModelsFeature, 'aiConfig' | 'providers'>;
  mcp: SecretHolder;
  notifications: Pick<NotificationsFeature, 'center'>;
  plugins: PluginsFeature;
}

/**
 * Connects the desktop and sends the notifications of a start. @returns the change if another
 * database is in use
 */
export async function sendStartupNotifications(
  parts: StartupOptions,
): Promise<DatabaseChange | null> {
  const { settings, plugins } = parts;
  const { center } = parts.notifications;
  const { paths, log } = parts.context;
  connectDesktop(parts.context, settings, center);
  await notifySkippedSamples(center, plugins.seeds.skipped);
  await notifyLostSecrets(center, secretHolders(parts), parts.context.clusterKey);
  const storedId = settings.stored(databaseIdName);
  const change = await rememberDatabase(paths.lastDatabase, parts.databaseConfig.type, {
    storedId,
    log,
  });
  if (change) await notifyDatabaseChange(change, center, { plugins: plugins.host, log });
  return change;
}

/** Forwards notifications and the appearance to the desktop. */
function connectDesktop(
  { desktop }: AppContext,
  { service }: SettingsFeature,
  center: NotificationCenter,
): void {
  const applySettings = (): void => desktop?.settingsChanged?.(service.values);
  applySettings();
  service.changes.subscribe(applySettings);
  center.created.subscribe(({ data }) => {
    if (desktop?.notified) void showDesktopNotification(desktop, data, service.values.language);
  });
}
