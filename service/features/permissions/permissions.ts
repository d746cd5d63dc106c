import type { z } from 'zod';
import type { api, Input, WritableSettings } from '../../contract/index.ts';
import { ruleProblems } from './rules/rule-problems.ts';
import type { Grammars } from './shell/grammars.ts';
import type { Platform } from './shell/read-command-line.ts';
import type { ToolFacets } from './tool-facets.ts';
import { addressObjection } from './verdict/address-objection.ts';
import { hostOf, type Mode, type ToolCall } from './verdict/call.ts';
import { judge, type JudgeContext, type RuleTexts, type Verdict } from './verdict/judge.ts';
import { judgedNames, stricterVerdict } from './verdict/workflow-call.ts';
import { type Message, textOf } from '../../messages/index.ts';

/** Dependencies of `Permissions`. */
export interface PermissionsOptions {
  settings: () => Pick<WritableSettings, 'permissionRules' | 'permissionMode'>;
  /** Returns the kind of sandbox that commands run in on this machine. */
  sandbox: () => Promise<'full' | 'reduced'>;
  /** Returns the properties of a tool by its name; undefined for an unknown tool. */
  toolInfo?: (tool: string) => Promise<(ToolFacets & { effect: string }) | undefined>;
  /** The folder of the shell grammars. */
  grammarDirectory: string;
}

type Explain = Input<typeof api.permissions.explain>['body'];
type Explanation = z.input<(typeof api.permissions.explain)['reply']>;

/** Judges tool calls by the stored rules. */
export class Permissions {
  private readonly options: PermissionsOptions;
  private readonly grammars: Grammars;

  constructor(options: PermissionsOptions, grammars: Grammars) {
    this.options = options;
    this.grammars = grammars;
  }

  /** Judges a call. The stored mode is the default. Session rules are allow rules. */
  async judge(
    call: ToolCall,
    context: { mode?: Mode; sessionRules?: readonly string[] } = {},
  ): Promise<Verdict> {
    const { permissionRules, permissionMode } = this.options.settings();
    return this.verdictOn(call, {
      rules: permissionRules,
      mode: context.mode ?? permissionMode,
      sessionRules: context.sessionRules,
      sandbox: await this.options.sandbox(),
      platform: platformOf(process.platform),
    });
  }

  /** Judges a call that is only asked about and will not run. */
  async explain(body: Explain): Promise<Explanation> {
    const { permissionRules, permissionMode } = this.options.settings();
    const rules = body.rules === undefined ? permissionRules : textsOf(body.rules);
    const facets = await this.options.toolInfo?.(body.tool);
    const effect = body.effect ?? facets?.effect;
    const call = { tool: body.tool, arguments: body.arguments, effect, ...(facets && { facets }) };
    const verdict = await this.verdictOn(call, {
      rules,
      mode: body.permissionMode ?? permissionMode,
      sandbox: body.sandbox ?? (await this.options.sandbox()),
      platform: body.platform ?? platformOf(process.platform),
    });
    return {
      ...verdict,
      reason: textOf(verdict.reason),
      reasonMessage: verdict.reason,
      problems: ruleProblems(rules).map(({ message, ...problem }) => ({
        ...problem,
        message: textOf(message),
        hostMessage: message,
      })),
    };
  }

  /**
   * Returns the reason why a call must not follow a redirect to another address, null if it may.
   * `decided` are the hosts that the call was allowed to open.
   */
  objectionTo(url: URL, decided: readonly string[]): Message | null {
    const hosts = decided.flatMap((address) => hostOf(URL.parse(address)) ?? []);
    return addressObjection(url, new Set(hosts), this.options.settings().permissionRules);
  }

  private async verdictOn(call: ToolCall, context: JudgeContext): Promise<Verdict> {
    const [first, ...others] = judgedNames(call);
    const under = (tool: string): Promise<Verdict> =>
      judge({ ...call, tool }, context, this.grammars);
    let verdict = await under(first.tool);
    for (const { tool, grants } of others)
      verdict = stricterVerdict(verdict, await under(tool), grants);
    return verdict;
  }
}

function platformOf(name: string): Platform {
  return name === 'win32' || name === 'darwin' ? name : 'linux';
}

function textsOf(rules: NonNullable<Explain['rules']>): RuleTexts {
  const text = (lines: string | string[]): string =>
    typeof lines === 'string' ? lines : lines.join('\n');
  return { deny: text(rules.deny), ask: text(rules.ask), allow: text(rules.allow) };
}
