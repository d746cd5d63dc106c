/** Workflows: their definitions, nodes, compiler and execution. */
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
import { type BoundWorkflow, bindWorkflow, currentWorkflow } from './tools/current-workflow.ts';
import { nodeTools, type NodeToolsOptions } from './tools/node-tools.ts';
import { isWorkflowTool, workflowTools } from './tools/workflow-tools.ts';
import { WorkflowService } from './workflow-service.ts';
import { WorkflowStore } from './workflow-store.ts';

export { unattendedWorkflow as workflowUnwatched } from './tools/unattended-workflow.ts';
export { resolveInputs, runWorkflow } from './run-workflow.ts';

/** The workflows and their routes. */
export interface WorkflowsFeature {
  workflowService: WorkflowService;
  /**
   * Returns the workflow for a turn of the chat that is bound to it. `windowTokens` is the context
   * window of its model.
   * @throws HostError 404 `unknown_workflow`
   */
  bind(workflowId: string, windowTokens: number): Promise<BoundWorkflow>;
  routes: Route[];
}

/** Dependencies of the workflows feature. */
export interface WorkflowsOptions extends NodeToolsOptions {
  database: Database;
  plugins: PluginHost;
  /** Receives the tools of the built-in nodes. */
  catalog: ToolCatalog;
  /** Receives the runs that continue in the background. */
  tasks: Tasks;
  starter: RunStarter;
}

export function createWorkflows(options: WorkflowsOptions): WorkflowsFeature {
  const { database, plugins, catalog, starter } = options;
  catalog.add(nodeTools(options));
  const sources = { plugins, catalog };
  const rules: DefinitionRules = {
    types: () => nodeTypes(sources),
    tools: () => catalog.list(),
    runsWorkflow: async (tool) =>
      isWorkflowTool(tool) || (await catalog.toolInfo(tool))?.runsWorkflow !== undefined,
  };
  const workflowService = new WorkflowService(new WorkflowStore(database), rules);
  const tasks = new WorkflowTasks(starter);
  options.tasks.add(tasks);
  const submit = submitTool(workflowService, tasks, starter);
  catalog.add({ list: () => [submit], possibleTools: [currentWorkflow] });
  catalog.add(workflowTools(workflowService, starter));
  return {
    workflowService,
    bind: (workflowId, windowTokens) =>
      bindWorkflow(workflowId, windowTokens, { workflowService, starter }),
    routes: workflowRoutes(workflowService, { ...sources, rules }, starter),
  };
}
