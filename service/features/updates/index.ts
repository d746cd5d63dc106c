/** Updates of this program: finding, downloading, verifying and installing newer versions. */
import { hostVersion } from '../../contract/index.ts';
import type { Route } from '../../http/route.ts';
import type { Log } from '../../platform/log.ts';
import { type ChannelOptions, chooseUpdater } from './choose-updater.ts';
import { updateRoutes } from './routes.ts';
import { readRollback, markStarted } from './swap-files.ts';
import { UpdateService } from './update-service.ts';

export type { BuildFacts } from './build-facts.ts';
/** Dependencies of the updates feature. */
export interface UpdatesOptions extends ChannelOptions {
  log: Log;
}

/** Updates of the host, and their routes. `close` aborts a download. */
export interface UpdatesFeature {
  routes: Route[];
  /** Called when the setting changed. */
  refreshChannel: () => void;
  /** Called when the service answers, so that a folder swap can finish. */
  confirmStarted: () => void;
  close(): Promise<void>;
}

export async function createUpdates(options: UpdatesOptions): Promise<UpdatesFeature> {
  const { build, log, paths } = options;
  const onError = (error: unknown): void => log.error('updates', 'The update failed', error);
  const rollback = await readRollback(paths.updates);
  if (rollback) log.warn('updates', rollback.message);
  const service = new UpdateService(
    { build: build.kind, version: hostVersion, choose: () => chooseUpdater(options), onError },
    rollback,
  );
  return {
    routes: updateRoutes(service),
    refreshChannel: () => void service.refreshChannel(),
    confirmStarted: () => void markStarted(paths.updates, hostVersion).catch(onError),
    close: () => service.stop(),
  };
}
