/** Newer versions of this program: found, fetched, verified, put in place. */
import { hostVersion } from '../../contract/index.ts';
import type { Route } from '../../http/route.ts';
import type { Log } from '../../platform/log.ts';
import { type ChannelOptions, choose } from './choose-updater.ts';
import { updateRoutes } from './routes.ts';
import { readTakenBack, tellStarted } from './swap-files.ts';
import { UpdateDesk } from './update-desk.ts';

export type { BuildFacts } from './build-facts.ts';
export interface UpdatesOptions extends ChannelOptions {
  log: Log;
}

export interface UpdatesFeature {
  routes: Route[];
  /** The setting was changed. */
  chooseAgain: () => void;
  /** The service answers: what swapped folders may go on. */
  answering: () => void;
  close(): Promise<void>;
}

export async function createUpdates(options: UpdatesOptions): Promise<UpdatesFeature> {
  const { build, log, paths } = options;
  const trouble = (error: unknown): void => log.error('updates', 'The update failed', error);
  const takenBack = await readTakenBack(paths.updates);
  if (takenBack) log.warn('updates', takenBack.message);
  const desk = new UpdateDesk(
    { build: build.kind, version: hostVersion, choose: () => choose(options), trouble },
    takenBack,
  );
  return {
    routes: updateRoutes(desk),
    chooseAgain: () => void desk.chooseAgain(),
    answering: () => void tellStarted(paths.updates, hostVersion).catch(trouble),
    close: () => desk.stop(),
  };
}
