import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import { descriptorOf, type PluginHost } from '../plugins/index.ts';
import { inspectUpload, installUpload } from './package-upload.ts';
import { marketplacePlugins } from './marketplace-list.ts';

export interface MarketplaceOptions {
  host: PluginHost;
  baseUrl: () => string;
  requireChecksum: () => boolean;
}

export function marketplaceRoutes({ host, baseUrl, requireChecksum }: MarketplaceOptions): Route[] {
  return [
    route(api.market.list, () => marketplacePlugins(host, baseUrl())),
    route(api.market.upload, async ({ file, body }) => {
      const plugin = await installUpload(host, file, {
        claimed: body.sha256,
        required: requireChecksum(),
      });
      return descriptorOf(host, plugin, baseUrl());
    }),
    route(api.market.inspect, ({ file, body }) => inspectUpload(host, file, body.sha256)),
    route(api.market.setEnabled, async ({ params, body }) =>
      descriptorOf(host, await host.setEnabled(params.id, body.enabled), baseUrl()),
    ),
    route(api.market.uninstall, async ({ params, query }) => {
      await host.uninstall(params.id, query.deleteData === 'true');
      return undefined;
    }),
  ];
}
