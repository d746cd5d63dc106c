/** Folders of this machine as plugins: installed by the plugin kit after each change. */
import type { WasChosen } from '../../core/chosen-path.ts';
import type { Route } from '../../http/route.ts';
import type { Log } from '../../platform/log.ts';
import type { HostPaths } from '../../platform/paths.ts';
import type { KitProgram, PluginHost } from '../plugins/index.ts';
import { FolderList } from './folder-list.ts';
import { unpackedRoutes } from './routes.ts';
import { UnpackedPlugins } from './unpacked-plugins.ts';

/** The loaded folders. `close` stops watching them. */
export interface UnpackedFeature {
  routes: Route[];
  /**
   * Must be called with the setting `developerMode`, at the start and after each change. `prepare`
   * writes or removes the file with which the kit contacts the host.
   */
  follow(isOn: boolean, prepare: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Dependencies of the loaded folders. */
export interface UnpackedOptions {
  host: PluginHost;
  paths: HostPaths;
  log: Log;
  wasChosen: WasChosen;
  kit: KitProgram;
}

export async function createUnpacked(options: UnpackedOptions): Promise<UnpackedFeature> {
  const { host, kit, log, paths, wasChosen } = options;
  const plugins = new UnpackedPlugins({
    host,
    kit,
    list: new FolderList(paths.unpacked, log),
    log,
    wasChosen,
    hostRoot: paths.host,
  });
  await plugins.open();
  return {
    routes: unpackedRoutes(plugins),
    follow: (isOn, prepare) => plugins.follow(isOn, prepare),
    close: () => plugins.close(),
  };
}
