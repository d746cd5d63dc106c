import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { Hook, HookEvent } from './settings.ts';

/** `none`: the hook does not decide, and the rules apply. */
export const HookDecision = z.enum(['none', 'allow', 'deny', 'ask']);
export type HookDecision = z.output<typeof HookDecision>;

/** Most recent result of a hook since the host started. */
export const HookStatus = z.object({
  /** Name from the settings, or `plugin/<id>/<name>`. */
  hook: z.string(),
  event: HookEvent,
  tool: z.string().optional(),
  /** End time; ISO 8601. */
  at: z.string(),
  decision: HookDecision,
  reason: z.string().optional(),
  reasonMessage: HostMessage.optional(),
  /** Exit code of a command hook that exited by itself. */
  exitCode: z.int().optional(),
  timedOut: z.boolean(),
  durationMs: z.number(),
  /** `could_not_run`: not found, not executable, timed out or killed. */
  lastResult: z.enum(['ran', 'failed', 'could_not_run']),
  /**
   * Reason of the failure, after which the hook did not decide; with `failClosed` the call was
   * denied.
   */
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
  /** The first 64 KiB; for an HTTP hook, the body of the response. */
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
      /** A hook as in the settings, or the name of an existing hook. */
      hook: z.union([Hook, z.string().min(1).max(300)]),
      /** Fields that replace those of the sample call. Default: the sample call. */
      payload: z.record(z.string(), z.unknown()).optional(),
    }),
    reply: HookTest,
    problems: ['unknown_hook'],
  }),
} as const;
