import { api, type SettingsPatch } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { SettingsService } from './settings-service.ts';

export type RequireRules = (rules: Rules) => void;

interface RouteOptions {
  resetDatabase: () => Promise<string | null>;
  requireRules: RequireRules;
}

export function settingsRoutes(service: SettingsService, options: RouteOptions): Route[] {
  return [
    route(api.settings.get, () => service.publicSettings()),
    route(api.settings.put, ({ body }) => {
      options.requireRules(changedRules(service.values.permissionRules, body.permissionRules));
      return service.change(body);
    }),
    route(api.settings.resetDatabase, async () => ({ backup: await options.resetDatabase() })),
  ];
}

type Rules = NonNullable<SettingsPatch['permissionRules']>;

/**
 * A stored list may contain lines that an earlier release accepted; an unchanged list is accepted
 * again.
 */
const changedRules = (stored: Rules, sent: Rules = {}): Rules =>
  Object.fromEntries(
    Object.entries(sent).filter(([list, text]) => text !== stored[list as keyof Rules]),
  );
