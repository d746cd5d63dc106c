import {
  api,
  type InstalledPluginDescriptor,
  pagePolicy,
  type PluginContentNames,
} from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { logStream } from '../../http/log-stream.ts';
import { type Route, route } from '../../http/route.ts';
import { refuseReservedIdentity } from './packages/accept-package.ts';
import { callEvents, wantsEvents } from './call-events.ts';
import { copyWarnings } from './errors/copy-warnings.ts';
import { pageLogger } from './errors/plugin-errors.ts';
import { pluginAsset } from './plugin-assets.ts';
import type { Plugin, PluginHost } from './plugin-host.ts';
import { sizeOfTree } from '../../platform/trees/tree-size.ts';
import type { Inspections } from './inspect/inspections.ts';
import { descriptorOf, pluginCategories } from './plugin-views.ts';
import { msg } from '../../messages/index.ts';

/** Dependencies of the routes of plugins and their pages. */
export interface PluginRouteOptions {
  host: PluginHost;
  inspections: Inspections;
  /** Returns the loopback address, known once the server listens. */
  baseUrl: () => string;
  frameAncestors: () => string[];
  bridgeDirectory: string;
  dataDirectory: (id: string) => string;
  /** Returns the names of what the plugin adds beside its page and its worker. */
  contentsOf: (plugin: Plugin) => Promise<PluginContentNames | undefined>;
}

export function pluginRoutes(options: PluginRouteOptions): Route[] {
  const { host, baseUrl } = options;
  const view = async (plugin: Plugin): Promise<InstalledPluginDescriptor> => {
    const contents = await options.contentsOf(plugin);
    const descriptor = descriptorOf(host, plugin, baseUrl());
    return contents === undefined ? descriptor : { ...descriptor, contents };
  };
  return [
    route(api.plugins.categories, () => pluginCategories),
    route(api.plugins.list, () =>
      Promise.all(
        host
          .list()
          .filter((plugin) => plugin.enabled)
          .map((plugin) => view(plugin)),
      ),
    ),
    route(api.plugins.show, async ({ params, signal }) => {
      const descriptor = await view(host.get(params.id));
      const dataSizeBytes = await sizeOfTree(options.dataDirectory(params.id), signal);
      return dataSizeBytes === undefined ? descriptor : { ...descriptor, dataSizeBytes };
    }),
    route(api.plugins.invoke, ({ params, body, req }) =>
      wantsEvents(req.headers.accept)
        ? callEvents((onProgress) => host.invoke(params.id, { ...body, onProgress }))
        : host.invoke(params.id, body),
    ),
    route(api.plugins.cancel, ({ params }) => ({
      cancelled: host.cancel(params.id, params.callId),
    })),
    route(api.plugins.config, ({ params }) => host.configOf(params.id)),
    route(api.plugins.setConfig, ({ params, body }) => host.configure(params.id, body)),
    route(api.plugins.logs, ({ params }) => host.get(params.id).log.recent()),
    route(api.plugins.addPageLog, ({ params, body }) => {
      const { log, errors } = host.get(params.id);
      const { level, message, place } = body;
      log.add({ level, message, logger: pageLogger, thread: null });
      const found = errors.addOfPage(level, message, place);
      return found === undefined ? {} : { place: found };
    }),
    route(api.plugins.errors, async ({ params }) => {
      const plugin = host.get(params.id);
      await checkCopy(plugin);
      return plugin.errors.list();
    }),
    route(api.plugins.clearErrors, async ({ params }) => {
      const plugin = host.get(params.id);
      await checkCopy(plugin);
      plugin.errors.clear();
      return undefined;
    }),
    route(api.plugins.logStream, ({ params }) => logStream(host.get(params.id).log)),
    route(api.developer.sourceMaps, ({ params, body }) => {
      refuseReservedIdentity({ id: params.id, official: false });
      host.sources.put(params.id, body);
      return undefined;
    }),
    route(api.developer.logs, ({ params }) => {
      const { id, source, log } = host.get(params.id);
      refuseReservedIdentity({ id, official: source === 'OFFICIAL' });
      return logStream(log);
    }),
    route(api.developer.inspect, ({ params, signal }) =>
      options.inspections.stream(params.id, signal),
    ),
    route(api.plugins.asset, async ({ params }) => {
      const plugin = host.find(params.id);
      if (!plugin?.enabled || plugin.origin !== null)
        throw new HostError('missing', 'not_found', msg('plugins.unknownAsset'));
      const folders = { plugin: plugin.directory, bridge: options.bridgeDirectory };
      return pluginAsset(folders, params.file, pagePolicy(options.frameAncestors()));
    }),
  ];
}

const checkCopy = (plugin: Plugin): Promise<void> =>
  plugin.errors.check(plugin.installedAt.toISOString(), () => copyWarnings(plugin));
