import type { DatabaseChange } from '../contract/index.ts';
import type { ModelsFeature } from '../features/models/index.ts';
import type { NotificationCenter, NotificationsFeature } from '../features/notifications/index.ts';
import type { PluginsFeature } from '../features/plugins/index.ts';
import type { SettingsFeature } from '../features/settings/index.ts';
import type { DatabaseConfig } from '../platform/database/database-config.ts';
import type { AppContext } from './app-context.ts';
import { databaseIdName, noteDatabase, tellDatabaseChange } from './database-change.ts';
import { tellLeftOut } from './plugin-notices.ts';
import { type Keeper, tellLostSecrets } from './secret-notices.ts';
import { tellNotice } from './tell-notice.ts';

interface FirstParts {
  context: AppContext;
  databaseConfig: DatabaseConfig;
  settings: SettingsFeature;
  models: Pick<ModelsFeature, 'book'>;
  mcp: Keeper;
  notifications: Pick<NotificationsFeature, 'center'>;
  plugins: PluginsFeature;
}

/**
 * Connects the desktop, and tells what a person should know from the start. Returns the change where
 * another database is in use.
 */
export async function tellFirst(parts: FirstParts): Promise<DatabaseChange | null> {
  const { settings, models, mcp, plugins } = parts;
  const { center } = parts.notifications;
  const { paths, log } = parts.context;
  tellDesktop(parts.context, settings, center);
  await tellLeftOut(center, plugins.seeds.leftOut);
  await tellLostSecrets(center, [settings.book, models.book, mcp, plugins]);
  const kept = settings.kept(databaseIdName);
  const change = await noteDatabase(paths.lastDatabase, parts.databaseConfig.type, { kept, log });
  if (change) await tellDatabaseChange(change, center, { plugins: plugins.host, log });
  return change;
}

/** What a person set, and what happens, as far as the system shows it. */
function tellDesktop(
  { desktop }: AppContext,
  { book }: SettingsFeature,
  center: NotificationCenter,
): void {
  const tell = (): void => desktop?.settingsChanged?.(book.values);
  tell();
  book.changes.subscribe(tell);
  center.created.subscribe(({ data }) => {
    if (desktop?.notified) void tellNotice(desktop, data, book.values.language);
  });
}
