/** The first-launch wizard: which database, does it answer, change between SETUP and APP. */
import type { Route } from '../../http/route.ts';
import { setupRoutes } from './routes.ts';
import { SetupDesk, type RunMode, type SetupDeskOptions } from './setup-desk.ts';

export type { SetupDeskOptions, SetupReason } from './setup-desk.ts';

export interface SetupFeature {
  desk: SetupDesk;
  routes: Route[];
}

/** `mode` is the mode whose handler the routes are mounted in. */
export function createSetup(options: SetupDeskOptions & { mode: RunMode }): SetupFeature {
  const desk = new SetupDesk(options);
  return { desk, routes: setupRoutes(desk, options.mode) };
}
