import { api } from '../../../contract/index.ts';
import { type Route, route } from '../../../http/route.ts';
import type { PromptLibrary } from './prompt-library.ts';

export function promptRoutes(library: PromptLibrary): Route[] {
  return [
    route(api.prompts.list, () => library.list()),
    route(api.prompts.create, ({ body }) => library.add(body)),
    route(api.prompts.replace, ({ params, body: { id: _, ...fields } }) =>
      library.replace(params.id, fields),
    ),
    route(api.prompts.remove, async ({ params }) => {
      await library.remove(params.id);
      return undefined;
    }),
  ];
}
