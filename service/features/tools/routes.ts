import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { Tasks } from './tasks/tasks.ts';
import type { ToolCatalog } from './tool-catalog.ts';

export function toolRoutes(catalog: ToolCatalog, tasks: Tasks): Route[] {
  return [
    route(api.tools.list, async ({ query: { effects } }) =>
      (await catalog.list()).map(({ name, description, inputSchema, effect }) => ({
        name,
        description,
        inputSchema,
        ...(effects === 'true' ? { effect } : {}),
      })),
    ),
    route(api.tasks.list, () => tasks.list()),
    route(api.tasks.output, ({ params }) => tasks.output(params.taskId)),
    route(api.tasks.kill, async ({ params }) => {
      await tasks.kill(params.taskId);
      return tasks.named(params.taskId);
    }),
  ];
}
