import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { UpdateDesk } from './update-desk.ts';

export function updateRoutes(desk: UpdateDesk): Route[] {
  return [
    route(api.updates.get, () => desk.show()),
    route(api.updates.check, () => desk.check()),
    route(api.updates.install, () => desk.install()),
    route(api.updates.cancel, () => desk.cancel()),
    route(api.updates.restart, () => desk.restart()),
  ];
}
