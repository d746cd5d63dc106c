/** Workflows: their definitions, what those are made of, what a graph becomes, and how they are run. */
import type { Route } from '../../http/route.ts';
import type { Database } from '../../platform/database/database.ts';
import type { PluginHost } from '../plugins/index.ts';
import type { Tasks, ToolCatalog } from '../tools/index.ts';
import type { DefinitionRules } from './definition/check-definition.ts';
import { nodeTypes } from './nodes/node-list.ts';
import { workflowRoutes } from './routes.ts';
import type { RunStarter } from './run-workflow.ts';
import { submitTool } from './tasks/submit-tool.ts';
import { WorkflowTasks } from './tasks/workflow-tasks.ts';
import { type BoundFlow, bindFlow, currentFlow } from './tools/current-flow.ts';
import { nodeTools, type NodeToolsOptions } from './tools/node-tools.ts';
import { isWorkflowTool, workflowTools } from './tools/workflow-tools.ts';
import { WorkflowBook } from './workflow-book.ts';
import { WorkflowStore } from './workflow-store.ts';

export { workflowUnwatched } from './tools/workflow-unwatched.ts';
export { givenInputs, runWorkflow } from './run-workflow.ts';

export interface WorkflowsFeature {
  book: WorkflowBook;
  /**
   * What a turn of the chat needs to be bound to a flow. `windowTokens` are those of its model.
   * @throws HostError 404 `unknown_workflow`
   */
  bind(workflowId: string, windowTokens: number): Promise<BoundFlow>;
  routes: Route[];
}

export interface WorkflowsOptions extends NodeToolsOptions {
  database: Database;
  plugins: PluginHost;
  /** Gets the tools of the built-in nodes. */
  catalog: ToolCatalog;
  /** Get the runs that go on in the background. */
  tasks: Tasks;
  starter: RunStarter;
}

export function createWorkflows(options: WorkflowsOptions): WorkflowsFeature {
  const { database, plugins, catalog, starter } = options;
  catalog.add(nodeTools(options));
  const sources = { plugins, catalog };
  const rules: DefinitionRules = {
    types: () => nodeTypes(sources),
    runsWorkflow: async (tool) =>
      isWorkflowTool(tool) || (await catalog.known(tool))?.runsWorkflow !== undefined,
  };
  const book = new WorkflowBook(new WorkflowStore(database), rules);
  const tasks = new WorkflowTasks(starter);
  options.tasks.add(tasks);
  const submit = submitTool(book, tasks, starter);
  catalog.add({ list: () => [submit], known: [currentFlow] });
  catalog.add(workflowTools(book, starter));
  return {
    book,
    bind: (workflowId, windowTokens) => bindFlow(workflowId, windowTokens, { book, starter }),
    routes: workflowRoutes(book, { ...sources, rules }, starter),
  };
}
