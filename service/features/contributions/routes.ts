import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { Contributions } from './contributions.ts';
import { distinctNames } from './distinct-names.ts';

/** A skill speaks of its files as they lie in its folder. */
const below = (directory: string, file: string): string =>
  directory === '.' ? file : file.slice(directory.length + 1);

export function contributionRoutes(contributions: Contributions): Route[] {
  return [
    route(api.contributions.skills, async () =>
      distinctNames(
        (await contributions.ofEnabled()).flatMap(({ plugin, brought }) =>
          brought.contents.skills.map(({ name, description, directory, files }) => ({
            ...{ name, description, pluginId: plugin.id },
            files: files.map((file) => below(directory, file)),
          })),
        ),
      ),
    ),
    route(api.contributions.commands, async () =>
      distinctNames(
        (await contributions.ofEnabled()).flatMap(({ plugin, brought }) =>
          brought.contents.commands.map(({ name, description, argumentHint }) => ({
            ...{ name, description, pluginId: plugin.id },
            ...(argumentHint === null ? {} : { argumentHint }),
          })),
        ),
      ),
    ),
    route(api.contributions.hooks, () => contributions.trusts()),
    route(api.contributions.trust, ({ params }) => contributions.trust(params.id)),
    route(api.contributions.untrust, async ({ params }) => {
      await contributions.untrust(params.id);
      return undefined;
    }),
  ];
}
