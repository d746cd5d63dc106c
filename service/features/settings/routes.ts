import { api, type SettingsPatch } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { SettingsBook } from './settings-book.ts';

export type RequireRules = (rules: NonNullable<SettingsPatch['permissionRules']>) => void;

interface RouteOptions {
  resetDatabase: () => Promise<string | null>;
  requireRules: RequireRules;
}

export function settingsRoutes(book: SettingsBook, options: RouteOptions): Route[] {
  return [
    route(api.settings.get, () => book.shown()),
    route(api.settings.put, ({ body }) => {
      // What is stored already may hold lines that an earlier release took.
      if (body.permissionRules) options.requireRules(body.permissionRules);
      return book.change(body);
    }),
    route(api.settings.resetDatabase, async () => ({ backup: await options.resetDatabase() })),
  ];
}
