import { api, type SettingsPatch } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { SettingsBook } from './settings-book.ts';

export type RequireRules = (rules: Rules) => void;

interface RouteOptions {
  resetDatabase: () => Promise<string | null>;
  requireRules: RequireRules;
}

export function settingsRoutes(book: SettingsBook, options: RouteOptions): Route[] {
  return [
    route(api.settings.get, () => book.shown()),
    route(api.settings.put, ({ body }) => {
      options.requireRules(changedRules(book.values.permissionRules, body.permissionRules));
      return book.change(body);
    }),
    route(api.settings.resetDatabase, async () => ({ backup: await options.resetDatabase() })),
  ];
}

type Rules = NonNullable<SettingsPatch['permissionRules']>;

/** A stored list may hold lines that an earlier release accepted; sent back unchanged, it stays. */
const changedRules = (stored: Rules, sent: Rules = {}): Rules =>
  Object.fromEntries(
    Object.entries(sent).filter(([list, text]) => text !== stored[list as keyof Rules]),
  );
