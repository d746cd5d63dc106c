import { executeCommand } from './command/execute-command.ts';
import { taskTools } from './tasks/task-tools.ts';
import type { Tool } from './tool.ts';
import { webFetch } from './web/web-fetch.ts';
import { webSearch } from './web/web-search.ts';

/** Dependencies of the tools. */
export interface BuiltInToolOptions {
  command: Parameters<typeof executeCommand>[0];
  search: Parameters<typeof webSearch>[0];
  fetch: Parameters<typeof webFetch>[0];
  tasks: Parameters<typeof taskTools>[0];
}

/** Creates the tools that exist as long as the host runs. */
export const createBuiltInTools = ({
  command,
  search,
  fetch,
  tasks,
}: BuiltInToolOptions): Tool[] => [
  executeCommand(command),
  webSearch(search),
  webFetch(fetch),
  ...taskTools(tasks),
];
