import { api } from '../../contract/index.ts';
import type { ClusterKeyState } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { ClusterKey } from '../../platform/cluster/cluster-key.ts';
import { type HostList, notClustered } from './host-list.ts';

interface KeyOptions {
  key: ClusterKey | null;
  onKey: () => Promise<void>;
}

export function hostRoutes(list: HostList, { key, onKey }: KeyOptions): Route[] {
  const required = (): ClusterKey => {
    if (key === null) throw notClustered();
    return key;
  };
  const state = (): { state: ClusterKeyState } => ({
    state: key === null ? 'none' : key.isMissing ? 'missing' : 'available',
  });
  return [
    route(api.hosts.list, () => list.list()),
    route(api.hosts.drain, ({ params }) => list.drain(params.id)),
    route(api.hosts.key, state),
    route(api.hosts.recoveryText, () => ({ recoveryText: required().recoveryText() })),
    route(api.hosts.enterKey, async ({ body }) => {
      await required().enter(body.recoveryText);
      await onKey();
      return state();
    }),
  ];
}
