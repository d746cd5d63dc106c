import { NewSchedule, PermissionMode } from '../../contract/index.ts';
import { issueMessages, textOf } from '../../messages/index.ts';
import { failure, jsonResult, type Tool, type ToolCall } from '../tools/index.ts';
import { workflowUnwatched } from '../workflows/index.ts';
import type { ScheduleService } from './schedule-service.ts';

const text = (maxLength: number, description: string) =>
  ({ type: 'string', minLength: 1, maxLength, description }) as const;

const inputSchema = {
  type: 'object',
  properties: {
    workflowId: text(100, 'The id of a published workflow.'),
    inputs: { type: 'object', description: 'The inputs of each run.' },
    intervalSeconds: {
      type: 'integer',
      minimum: 60,
      description: 'Seconds between two runs. Ends after 7 days, or with the host.',
    },
    recurring: { type: 'boolean', description: 'Whether it runs more than once. Default: true.' },
    fireImmediately: { type: 'boolean', description: 'Whether the first run begins at once.' },
    durable: {
      type: 'boolean',
      description: 'Stored, without an end; with cron and timeZone instead of intervalSeconds.',
    },
    cron: text(200, 'Five fields: minute, hour, day of the month, month, day of the week.'),
    timeZone: text(100, 'A name such as Europe/Berlin.'),
    permissionMode: {
      enum: PermissionMode.options,
      description: 'Of the runs; not wider than the mode of this call, which is the default.',
    },
  },
  required: ['workflowId'],
} as const;

/** From the strictest to the most permissive. */
const modes: readonly PermissionMode[] = ['ask-for-approval', 'approve-for-me', 'full-access'];

export const scheduleTool = (scheduleService: ScheduleService): Tool => ({
  name: 'task_schedule',
  description:
    'Makes a schedule that runs a published workflow by itself, at an interval or by a cron expression.',
  inputSchema,
  // The schedule outlasts the conversation.
  effect: 'external',
  runsWorkflow: workflowUnwatched,
  run: (call) => makeSchedule(scheduleService, call),
});

async function makeSchedule(
  scheduleService: ScheduleService,
  { arguments: args, caller }: ToolCall,
) {
  const own = caller?.mode ?? 'ask-for-approval';
  const wish = { permissionMode: own, ...args };
  const read = NewSchedule.safeParse(wish);
  if (!read.success) {
    const problems = issueMessages(read.error.issues, wish).map(
      ({ path, message }) => `${path} ${textOf(message)}`,
    );
    return failure(`The schedule is not valid: ${problems.join('; ').slice(0, 1_000)}.`);
  }
  const { permissionMode = own } = read.data;
  if (modes.indexOf(permissionMode) > modes.indexOf(own))
    return failure(`Its runs may not do more than this call, which is in the mode ${own}.`);
  return jsonResult(await scheduleService.add({ ...read.data, permissionMode }));
}
