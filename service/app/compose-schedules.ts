import type { ChatFile } from '../contract/index.ts';
import { HostError } from '../core/host-error.ts';
import type { AgentFeature } from '../features/agent/index.ts';
import { hostNotice, type NotificationsFeature } from '../features/notifications/index.ts';
import type { PluginsFeature } from '../features/plugins/index.ts';
import {
  createSchedules,
  type ScheduledWorkflows,
  type ScheduleOrder,
  type SchedulesFeature,
} from '../features/schedules/index.ts';
import { resolveInputs, runWorkflow, type WorkflowsFeature } from '../features/workflows/index.ts';
import { msg, textOf, wireText } from '../messages/index.ts';
import type { Database } from '../platform/database/database.ts';
import { wallClock } from '../platform/wall-clock.ts';
import type { AppContext } from './app-context.ts';
import type { ToolCallServices } from './compose-tool-calls.ts';

/** The features that schedules depend on. */
export interface ComposeSchedulesOptions {
  context: AppContext;
  database: Database;
  notifications: NotificationsFeature;
  calls: ToolCallServices;
  plugins: PluginsFeature;
  agent: AgentFeature;
  workflows: WorkflowsFeature;
}

/** Creates the schedules, which run published workflows unattended. */
export function composeSchedules(options: ComposeSchedulesOptions): Promise<SchedulesFeature> {
  const { context, database, notifications, calls, agent, workflows } = options;
  return createSchedules({
    database,
    catalog: calls.tools.catalog,
    log: context.log,
    isShared: context.cluster !== null,
    clock: context.wallClock ?? wallClock,
    activeChanged: (count) => context.desktop?.schedulesActive?.(count),
    workflows: scheduledWorkflows(workflows, agent, options.plugins),
    async notify({ order, code, reason }) {
      context.log.warn('schedules', `${order.workflowName} was not run: ${textOf(reason)}`);
      const parameters = { workflow: order.workflowName, code, ...wireText('reason', reason) };
      const more = { source: 'agent', level: 'warning' } as const;
      const link = `/flows/${order.workflowId}`;
      await notifications.center.send(
        hostNotice('schedule_skipped', parameters, { ...more, link }),
      );
    },
  });
}

const scheduledWorkflows = (
  { workflowService }: WorkflowsFeature,
  { service: agentService }: AgentFeature,
  { shared }: Pick<PluginsFeature, 'shared'>,
): ScheduledWorkflows => ({
  async check({ workflowId, inputs, timing }) {
    const { name, inputSchema } = await published(workflowService, workflowId);
    const { files } = await resolveInputs({ inputSchema }, { inputs });
    shared.requireChosen(files);
    if ('cron' in timing) refuseTemporaryFiles(files);
    return { name };
  },
  async start({ workflowId, inputs, permissionMode }) {
    const workflow = await published(workflowService, workflowId);
    const config = { planApproval: false, ...(permissionMode && { permissionMode }) };
    return runWorkflow(workflow, { inputs, config, trigger: 'schedule' }, agentService);
  },
  isRunning: (runId) => agentService.isLive(runId),
});

async function published(
  workflowService: WorkflowsFeature['workflowService'],
  workflowId: ScheduleOrder['workflowId'],
) {
  const workflow = await workflowService.show(workflowId);
  if (workflow.published) return workflow;
  throw new HostError(
    'conflict',
    'workflow_not_published',
    msg('schedule.workflowNotPublished', { name: workflow.name }),
  );
}

/** Refuses uploads and grants, which do not survive a restart. */
function refuseTemporaryFiles(files: readonly ChatFile[]): void {
  const temporary = files.find(
    ({ uploadId, refs }) => uploadId !== undefined || refs !== undefined,
  );
  if (!temporary) return;
  const message = msg('schedule.fileNotKept');
  throw new HostError(
    'unprocessable',
    'invalid_inputs',
    msg('inputs.invalid', { path: `inputs.${temporary.name ?? ''}`, problem: message }),
    { errors: [{ path: `inputs.${temporary.name ?? ''}`, message }] },
  );
}
