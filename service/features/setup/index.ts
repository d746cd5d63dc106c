/**
 * The first-launch wizard: choosing and testing the database, and switching between SETUP and APP.
 */
import type { Route } from '../../http/route.ts';
import { setupRoutes } from './routes.ts';
import { SetupService, type RunMode, type SetupServiceOptions } from './setup-service.ts';

export type { SetupServiceOptions, SetupReason } from './setup-service.ts';

/** The setup of the database and its routes. */
export interface SetupFeature {
  service: SetupService;
  routes: Route[];
}

/** `mode` is the mode whose handler serves the routes. */
export function createSetup(options: SetupServiceOptions & { mode: RunMode }): SetupFeature {
  const service = new SetupService(options);
  return { service, routes: setupRoutes(service, options.mode) };
}
