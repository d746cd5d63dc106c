import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { PermissionMode } from './settings.ts';

/** Rules, one a line, or one an element. */
const RuleLines = z.union([z.string().max(262_144), z.array(z.string().max(8_192)).max(10_000)]);

export const PermissionVerdict = z.object({
  verdict: z.enum(['allow', 'ask', 'deny']),
  /** A sentence; it names the rule that decided. */
  reason: z.string(),
  reasonMessage: HostMessage.optional(),
  /** As it stands in the settings. */
  rule: z.string().optional(),
  /** The command of the line that decided. */
  segment: z.string().optional(),
  /** It is one of the commands that are asked about whatever the rules and the mode say. */
  floor: z.boolean(),
  /** Rules that together allow the call from now on; none where no rule can. */
  suggestedRules: z.array(z.string()),
});
export type PermissionVerdict = z.output<typeof PermissionVerdict>;

/** A line of the settings that is no rule. */
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
      /** It need not exist. */
      tool: z.string().min(1).max(300),
      arguments: z.record(z.string(), z.unknown()).default({}),
      /** Default: the stored one. */
      permissionMode: PermissionMode.optional(),
      /** In place of the stored ones, for this answer. */
      rules: z
        .strictObject({
          deny: RuleLines.default(''),
          ask: RuleLines.default(''),
          allow: RuleLines.default(''),
        })
        .optional(),
      /** Default: the one of the catalog; anything that is not known counts as external. */
      effect: z.string().max(100).nullish(),
      /** Default: what this machine can do. */
      sandbox: z.enum(['full', 'reduced']).optional(),
      /** Default: this one. */
      platform: z.enum(['linux', 'darwin', 'win32']).optional(),
    }),
    reply: PermissionVerdict.extend({
      /** Lines of the rules that are no rules. */
      problems: z.array(RuleProblem),
    }),
  }),
} as const;
