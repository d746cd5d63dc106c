import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { SettingsBook } from './settings-book.ts';

export function settingsRoutes(
  book: SettingsBook,
  resetDatabase: () => Promise<string | null>,
): Route[] {
  return [
    route(api.settings.get, () => book.shown()),
    route(api.settings.put, ({ body }) => book.change(body)),
    route(api.settings.resetDatabase, async () => ({ backup: await resetDatabase() })),
  ];
}
