import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { Contributions } from './contributions.ts';

export function contributionRoutes(contributions: Contributions): Route[] {
  return [
    route(api.contributions.skills, async () =>
      (await contributions.skills()).map(({ name, description, pluginId, files }) => ({
        name,
        description,
        pluginId,
        files,
      })),
    ),
    route(api.contributions.commands, async () =>
      (await contributions.commands()).map(({ name, description, argumentHint, pluginId }) => ({
        name,
        description,
        pluginId,
        ...(argumentHint === null ? {} : { argumentHint }),
      })),
    ),
    route(api.contributions.hooks, () => contributions.trusts()),
    route(api.contributions.trust, ({ params, body }) =>
      contributions.trust(params.id, body?.hash),
    ),
    route(api.contributions.untrust, async ({ params }) => {
      await contributions.untrust(params.id);
      return undefined;
    }),
  ];
}
