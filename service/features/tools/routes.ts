import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { TaskBook } from './command/task-book.ts';
import { outputOf, taskNamed, taskOf } from './tasks/task-views.ts';
import type { ToolCatalog } from './tool-catalog.ts';

export function toolRoutes(catalog: ToolCatalog, tasks: TaskBook): Route[] {
  return [
    route(api.tools.list, async () =>
      (await catalog.list()).map(({ name, description, inputSchema }) => ({
        ...{ name, description, inputSchema },
      })),
    ),
    route(api.tasks.list, () => tasks.list().map(taskOf)),
    route(api.tasks.output, ({ params }) => outputOf(tasks, params.taskId)),
    route(api.tasks.kill, async ({ params }) => {
      const task = taskNamed(tasks, params.taskId);
      await tasks.kill(task.taskId);
      return taskNamed(tasks, task.taskId);
    }),
  ];
}
