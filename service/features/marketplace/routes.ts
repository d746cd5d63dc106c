import { api, type InstallAnswer, type InstalledPluginDescriptor } from '../../contract/index.ts';
import type { WasChosen } from '../../core/chosen-path.ts';
import { AcceptedReply, JsonReply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { descriptorOf, type Plugin, type PluginHost } from '../plugins/index.ts';
import type { Contributions } from '../contributions/index.ts';
import { installedGrid, marketGrid } from './grid/market-grid.ts';
import { pluginDetails } from './grid/plugin-details.ts';
import type { CatalogInstalls } from './installs/catalog-installs.ts';
import type { PluginPreviews } from './installs/plugin-previews.ts';
import type { Installed } from './installs/operations.ts';
import { nativePackage } from './native-packages.ts';
import type { UploadConverter } from './converted-upload.ts';
import { inspectUpload, installAnyUpload, installUpload } from './package-upload.ts';
import type { SourceService } from './sources/source-service.ts';
import { viewOf } from './sources/source-view.ts';

/** Dependencies of the routes of the store. */
export interface MarketplaceRouteOptions {
  host: PluginHost;
  converter: UploadConverter;
  contributions: Contributions;
  sourceService: SourceService;
  installs: CatalogInstalls;
  previews: PluginPreviews;
  baseUrl: () => string;
  dataDirectory: (id: string) => string;
  requireChecksum: () => boolean;
  wasChosen: WasChosen;
}

export function marketplaceRoutes(options: MarketplaceRouteOptions): Route[] {
  return [...gridRoutes(options), ...packageRoutes(options), ...sourceRoutes(options)];
}

const view = async (
  plugin: Plugin,
  { host, contributions, baseUrl }: MarketplaceRouteOptions,
): Promise<InstalledPluginDescriptor> => {
  const contents = await contributions.namesOf(plugin).catch(() => undefined);
  const descriptor = descriptorOf(host, plugin, baseUrl());
  return contents === undefined ? descriptor : { ...descriptor, contents };
};

function gridRoutes(options: MarketplaceRouteOptions): Route[] {
  const { sourceService, installs, previews } = options;
  const answer = async (
    started: { id: string; finished: Promise<Installed> },
    prefer: string | string[] | undefined,
  ): Promise<InstallAnswer | AcceptedReply> => {
    if (!/(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(String(prefer ?? ''))) {
      const { plugin, warnings } = await started.finished;
      const descriptor = await view(plugin, options);
      return warnings.length === 0 ? descriptor : { ...descriptor, warnings };
    }
    started.finished.catch(() => undefined);
    return new AcceptedReply({ operationId: started.id });
  };
  return [
    route(api.market.list, async ({ query }) => {
      const sources = await sourceService.all();
      if (query.installed === 'true') return installedGrid(sources, options);
      return new JsonReply(await marketGrid(sources, options));
    }),
    route(api.market.details, async ({ params }) =>
      pluginDetails(params.id, await sourceService.all(), options),
    ),
    route(api.market.look, ({ params, signal }) => previews.preview(params.id, signal)),
    route(api.market.install, async ({ params, req }) =>
      answer(await installs.install(params.id), req.headers['prefer']),
    ),
    route(api.market.update, async ({ params, req }) =>
      answer(await installs.update(params.id), req.headers['prefer']),
    ),
    route(api.store.operations, () => installs.operations.list()),
    route(api.store.operation, ({ params }) => installs.operations.show(params.id)),
    route(api.store.cancelOperation, async ({ params }) => {
      await installs.operations.cancel(params.id);
      return undefined;
    }),
    route(api.store.operationStream, ({ params }) => installs.operations.stream(params.id)),
  ];
}

function packageRoutes(options: MarketplaceRouteOptions): Route[] {
  const { host, contributions, installs, requireChecksum, wasChosen } = options;
  return [
    route(api.market.upload, async ({ file, body }) => {
      const checksum = { claimed: body.sha256, required: requireChecksum() };
      const { plugin, ...rest } = await installAnyUpload(options, file, checksum);
      return { ...(await view(plugin, options)), ...rest };
    }),
    route(api.market.uploadNative, async ({ body }) => {
      const { file, claimed } = await nativePackage(body.path, wasChosen);
      const checksum = { claimed, required: requireChecksum() };
      const { plugin, ...rest } = await installAnyUpload(options, file, checksum);
      return { ...(await view(plugin, options)), ...rest };
    }),
    route(api.developer.install, async ({ file }) => {
      const checksum = { claimed: undefined, required: false };
      const acceptance = { checksum, isDeveloped: true };
      const { plugin, warnings } = await installUpload(host, file, acceptance);
      return { ...(await view(plugin, options)), warnings };
    }),
    route(api.market.inspect, ({ file, body }) => inspectUpload(options, file, body.sha256)),
    route(api.market.inspectNative, async ({ body }) => {
      const { file, claimed } = await nativePackage(body.path, wasChosen);
      return inspectUpload(options, file, claimed);
    }),
    route(api.market.setEnabled, async ({ params, body }) =>
      view(await host.setEnabled(params.id, body.enabled), options),
    ),
    route(api.market.uninstall, async ({ params, query }) => {
      // Otherwise a running update would restore the plugin.
      if (host.find(params.id)) await installs.operations.cancelOf(params.id);
      try {
        await host.uninstall(params.id, query.deleteData === 'true');
      } finally {
        // Also after some of its data could not be deleted.
        if (!host.find(params.id)) await contributions.drop(params.id);
      }
      return undefined;
    }),
  ];
}

function sourceRoutes({ sourceService }: MarketplaceRouteOptions): Route[] {
  return [
    route(api.store.sources, async () => (await sourceService.all()).map(viewOf)),
    route(api.store.addSource, async ({ body }) => viewOf(await sourceService.add(body))),
    route(api.store.removeSource, async ({ params }) => {
      await sourceService.remove(params.id);
      return undefined;
    }),
    route(api.store.refreshSource, async ({ params }) =>
      viewOf(await sourceService.refresh(params.id)),
    ),
    route(api.store.setSourceEnabled, async ({ params, body }) =>
      viewOf(await sourceService.setEnabled(params.id, body.enabled)),
    ),
  ];
}
