import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { UpdateService } from './update-service.ts';

export function updateRoutes(service: UpdateService): Route[] {
  return [
    route(api.updates.get, () => service.show()),
    route(api.updates.check, () => service.check()),
    route(api.updates.install, () => service.install()),
    route(api.updates.cancel, () => service.cancel()),
    route(api.updates.restart, () => service.restart()),
  ];
}
