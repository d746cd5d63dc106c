import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { UnpackedPlugins } from './unpacked-plugins.ts';

export function unpackedRoutes(plugins: UnpackedPlugins): Route[] {
  return [
    route(api.unpacked.list, () => plugins.views()),
    route(api.unpacked.load, ({ body }) => plugins.load(body.directory)),
    route(api.unpacked.make, ({ body }) => plugins.make(body)),
    route(api.unpacked.unload, async ({ params }) => {
      await plugins.unload(params.key);
      return undefined;
    }),
  ];
}
