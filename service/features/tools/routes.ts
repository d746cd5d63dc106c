import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { ToolCatalog } from './tool-catalog.ts';

export function toolRoutes(catalog: ToolCatalog): Route[] {
  return [
    route(api.tools.list, async () =>
      (await catalog.list()).map(({ name, description, inputSchema }) => ({
        ...{ name, description, inputSchema },
      })),
    ),
  ];
}
