import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { Permissions } from './permissions.ts';

export function permissionRoutes(permissions: Permissions): Route[] {
  return [route(api.permissions.explain, ({ body }) => permissions.explain(body))];
}
