import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { Hook, HookEvent } from './settings.ts';

/** `none`: the hook has no say, and the rules go on. */
export const HookDecision = z.enum(['none', 'allow', 'deny', 'ask']);
export type HookDecision = z.output<typeof HookDecision>;

/** The last result of a hook since the host started. */
export const HookStatus = z.object({
  /** As in the settings, or `plugin/<id>/<name>`. */
  hook: z.string(),
  event: HookEvent,
  tool: z.string().optional(),
  /** When it ended; ISO 8601. */
  at: z.string(),
  decision: HookDecision,
  reason: z.string().optional(),
  reasonMessage: HostMessage.optional(),
  /** Of a command hook that ended by itself. */
  exitCode: z.int().optional(),
  timedOut: z.boolean(),
  durationMs: z.number(),
  /** `could_not_run`: it was not found, not executable, took too long or was ended from outside. */
  lastResult: z.enum(['ran', 'failed', 'could_not_run']),
  /** Why it failed and so had no say; one with `failClosed` denied. */
  warning: z.string().optional(),
  warningMessage: HostMessage.optional(),
});
export type HookStatus = z.output<typeof HookStatus>;

export const HookTest = z.object({
  decision: HookDecision,
  reason: z.string().optional(),
  reasonMessage: HostMessage.optional(),
  exitCode: z.int().optional(),
  timedOut: z.boolean(),
  /** The first 64 KiB; of an HTTP hook the body of its answer. */
  stdout: z.string(),
  stderr: z.string(),
  durationMs: z.number(),
  warning: z.string().optional(),
  warningMessage: HostMessage.optional(),
});
export type HookTest = z.output<typeof HookTest>;

export const hooks = {
  status: endpoint({
    method: 'GET',
    path: '/api/hooks/status',
    access: token,
    summary: 'The last result of each hook that ran since the start',
    reply: z.array(HookStatus),
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/hooks/test',
    access: token,
    summary: 'Run a hook once, whatever its matcher; nothing else happens',
    body: z.strictObject({
      /** As the settings take it, or the name of a hook that may run. */
      hook: z.union([Hook, z.string().min(1).max(300)]),
      /** Default: a sample call. What is given here takes the place of the sample's fields. */
      payload: z.record(z.string(), z.unknown()).optional(),
    }),
    reply: HookTest,
    problems: ['unknown_hook'],
  }),
} as const;
