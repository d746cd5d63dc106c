import type { AgentFeature } from '../features/agent/index.ts';
import type { NotificationsFeature } from '../features/notifications/index.ts';
import type { PluginsFeature } from '../features/plugins/index.ts';
import { createWorkflows, type WorkflowsFeature } from '../features/workflows/index.ts';
import type { Database } from '../platform/database/database.ts';
import type { AppContext } from './app-context.ts';
import type { ToolCallServices } from './compose-tool-calls.ts';

/** The features that workflows depend on. */
export interface ComposeWorkflowsOptions {
  context: AppContext;
  database: Database;
  plugins: PluginsFeature;
  notifications: NotificationsFeature;
  calls: ToolCallServices;
  agent: AgentFeature;
}

/** Creates the workflows and the tools of the built-in nodes. */
export function composeWorkflows(options: ComposeWorkflowsOptions): WorkflowsFeature {
  const { context, database, plugins, notifications, calls, agent } = options;
  return createWorkflows({
    database,
    plugins: plugins.host,
    catalog: calls.tools.catalog,
    tasks: calls.tools.tasks,
    starter: agent.service,
    webAllow: context.properties.webAllow,
    notify: (notification) => notifications.center.notify(notification),
  });
}
