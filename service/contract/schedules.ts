import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { PermissionMode } from './settings.ts';

export const maxActiveSchedules = 50;
export const minIntervalSeconds = 60;
const expirySeconds = 7 * 24 * 3_600;

const Inputs = z.record(z.string(), z.unknown());

/**
 * There are two kinds. With `intervalSeconds`, a schedule lives in memory for at most 7 days. With
 * `durable: true`, a `cron` expression of five fields and a `timeZone`, it is stored until it is
 * removed.
 */
export const NewSchedule = z
  .strictObject({
    workflowId: z.string().min(1).max(100),
    inputs: Inputs.default({}),
    intervalSeconds: z
      .int()
      .min(minIntervalSeconds)
      .max(expirySeconds - 1, 'field.intervalTooLong')
      .optional(),
    /** True if it runs more than once; default true. */
    recurring: z.boolean().optional(),
    /** True if the first run starts immediately instead of after the interval. */
    fireImmediately: z.boolean().optional(),
    durable: z.boolean().optional(),
    /** Minute, hour, day of the month, month, day of the week. */
    cron: z.string().min(1).max(200).optional(),
    /** A name of the IANA time zone database. */
    timeZone: z.string().min(1).max(100).optional(),
    /** Mode of its runs. Default: the mode in the settings when a run starts. */
    permissionMode: PermissionMode.optional(),
  })
  .superRefine(({ durable = false, ...schedule }, context) => {
    const problem = (path: keyof typeof schedule, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    const others = durable ? intervalFields : cronFields;
    const needed = durable ? cronFields : (['intervalSeconds'] as const);
    for (const name of needed) if (schedule[name] === undefined) problem(name, neededFor[name]);
    for (const name of others)
      if (schedule[name] !== undefined)
        problem(name, durable ? 'field.notWithDurable' : 'field.durableNeeded');
  });
export type NewSchedule = z.output<typeof NewSchedule>;

const cronFields = ['cron', 'timeZone'] as const;
const intervalFields = ['intervalSeconds', 'recurring', 'fireImmediately'] as const;
const neededFor = {
  intervalSeconds: 'field.intervalNeeded',
  cron: 'field.cronNeeded',
  timeZone: 'field.timeZoneNeeded',
} as const;

export const ScheduleRun = z.object({
  runId: z.string(),
  status: z.enum(['running', 'completed', 'failed', 'cancelled', 'interrupted']),
  startedAt: z.string(),
  finishedAt: z.string().optional(),
  error: z.string().optional(),
  errorMessage: HostMessage.optional(),
});
export type ScheduleRun = z.output<typeof ScheduleRun>;

/** Outcome of a due time. */
export const ScheduleEvent = z.object({
  dueAt: z.string(),
  at: z.string(),
  /** `starting`: the run is being started. */
  outcome: z.enum(['starting', 'started', 'skipped']),
  runId: z.string().optional(),
  /** True if the run replaces missed runs. */
  catchUp: z.boolean().optional(),
  /** Reason why no run started: a code, and a sentence. */
  reason: z.string().optional(),
  message: z.string().optional(),
  text: HostMessage.optional(),
  /** Number of consecutive occurrences, ending with this one; absent: one. */
  times: z.int().optional(),
});
export type ScheduleEvent = z.output<typeof ScheduleEvent>;

export const ScheduleState = z.enum(['active', 'paused', 'finished', 'expired', 'disabled']);
export type ScheduleState = z.output<typeof ScheduleState>;

export const Schedule = z.object({
  id: z.string(),
  workflowId: z.string(),
  /** Name when the schedule was created. */
  workflowName: z.string(),
  inputs: Inputs,
  durable: z.boolean(),
  intervalSeconds: z.int().optional(),
  recurring: z.boolean().optional(),
  cron: z.string().optional(),
  timeZone: z.string().optional(),
  permissionMode: PermissionMode.optional(),
  state: ScheduleState,
  createdAt: z.string(),
  /** Absent if there is no next run. */
  nextRunAt: z.string().optional(),
  /** Absent for a durable schedule. */
  expiresAt: z.string().optional(),
  lastRun: ScheduleRun.optional(),
  /** The last 50 events, newest first. */
  history: z.array(ScheduleEvent),
});
export type Schedule = z.output<typeof Schedule>;

const ById = z.object({ id: z.string().max(100) });
const workflowProblems = ['unknown_workflow', 'workflow_not_published', 'invalid_inputs'] as const;

export const schedules = {
  list: endpoint({
    method: 'GET',
    path: '/api/agent/schedules',
    access: token,
    summary: 'All schedules in the order in which they were made, with the last 50 that have ended',
    reply: z.array(Schedule),
  }),
  show: endpoint({
    method: 'GET',
    path: '/api/agent/schedules/{id}',
    access: token,
    summary: 'One schedule with its history',
    params: ById,
    reply: Schedule,
    problems: ['unknown_schedule'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/agent/schedules',
    access: token,
    summary: 'Run a published workflow at an interval, or with `durable` by a cron expression',
    body: NewSchedule,
    maxBodyBytes: 1024 * 1024,
    reply: Schedule,
    status: 201,
    problems: [...workflowProblems, 'invalid_schedule', 'too_many_schedules'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/agent/schedules/{id}',
    access: token,
    summary: 'Pause a schedule, or let it go on; what came due meanwhile is not made up for',
    params: ById,
    body: z.strictObject({ paused: z.boolean() }),
    reply: Schedule,
    problems: ['unknown_schedule', 'schedule_ended'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/agent/schedules/{id}',
    access: token,
    summary: 'Remove a schedule; a run that has begun goes on',
    params: ById,
    problems: ['unknown_schedule'],
  }),
} as const;
