import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { HostList } from './host-list.ts';

export const hostRoutes = (list: HostList): Route[] => [
  route(api.hosts.list, () => list.list()),
  route(api.hosts.drain, ({ params }) => list.drain(params.id)),
];
