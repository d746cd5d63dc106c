import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { PermissionMode } from './settings.ts';

/** Rules as text with one rule per line, or as a list. */
const RuleLines = z.union([z.string().max(262_144), z.array(z.string().max(8_192)).max(10_000)]);

export const PermissionVerdict = z.object({
  verdict: z.enum(['allow', 'ask', 'deny']),
  /** A sentence that names the rule that decided. */
  reason: z.string(),
  reasonMessage: HostMessage.optional(),
  /** As written in the settings. */
  rule: z.string().optional(),
  /** The command of the command line that caused the decision. */
  segment: z.string().optional(),
  /** True for commands that always need approval, regardless of rules and mode. */
  floor: z.boolean(),
  /** Rules that together allow the call in future; empty if no rule can. */
  suggestedRules: z.array(z.string()),
});
export type PermissionVerdict = z.output<typeof PermissionVerdict>;

/** A line of the settings that is not a valid rule. */
export const RuleProblem = z.object({
  list: z.enum(['deny', 'ask', 'allow']),
  /** Counted from 1. */
  line: z.int(),
  text: z.string(),
  message: z.string(),
  /** The same as `message`. */
  hostMessage: HostMessage.optional(),
});

export const permissions = {
  explain: endpoint({
    method: 'POST',
    path: '/api/permissions/explain',
    access: token,
    summary: 'What would happen with a tool call, and why; nothing is run and no hook is asked',
    body: z.strictObject({
      /** The tool does not have to exist. */
      tool: z.string().min(1).max(300),
      arguments: z.record(z.string(), z.unknown()).default({}),
      /** Default: the stored mode. */
      permissionMode: PermissionMode.optional(),
      /** Evaluated instead of the stored rules. */
      rules: z
        .strictObject({
          deny: RuleLines.default(''),
          ask: RuleLines.default(''),
          allow: RuleLines.default(''),
        })
        .optional(),
      /** Default: the effect in the catalog; any unknown value counts as external. */
      effect: z.string().max(100).nullish(),
      /** Default: the sandbox of this machine. */
      sandbox: z.enum(['full', 'reduced']).optional(),
      /** Default: this platform. */
      platform: z.enum(['linux', 'darwin', 'win32']).optional(),
    }),
    reply: PermissionVerdict.extend({
      /** Lines that are not valid rules. */
      problems: z.array(RuleProblem),
    }),
  }),
} as const;
