import type { Input, PermissionVerdict, WritableSettings } from '../../contract/index.ts';
import type { api } from '../../contract/index.ts';
import { checkRules } from './rules/check-rules.ts';
import type { Grammars } from './shell/grammars.ts';
import type { Platform } from './shell/read-command-line.ts';
import type { Mode, ToolCall } from './verdict/call.ts';
import { judge, type JudgeContext, type RuleTexts, type Verdict } from './verdict/judge.ts';
import { judgedNames, weightier } from './verdict/workflow-call.ts';

export interface PermissionsOptions {
  settings: () => Pick<WritableSettings, 'permissionRules' | 'permissionMode'>;
  /** Whether commands run in a full sandbox on this machine. */
  sandbox: () => Promise<'full' | 'reduced'>;
  /** What the catalog knows about a tool; undefined for one that it does not have. */
  effectOf?: (tool: string) => Promise<string | undefined>;
  /** The MCP server that a tool belongs to, by its name. */
  serverOf?: (tool: string) => string | undefined;
  /** The folder of the shells' grammars. */
  grammarDirectory: string;
}

type Explain = Input<typeof api.permissions.explain>['body'];

const lists = ['deny', 'ask', 'allow'] as const;

/** What tool calls may do, by the stored rules. */
export class Permissions {
  private readonly options: PermissionsOptions;
  private readonly grammars: Grammars;

  constructor(options: PermissionsOptions, grammars: Grammars) {
    this.options = options;
    this.grammars = grammars;
  }

  /** Without a mode the stored one holds. Session rules are allow rules. */
  async judge(
    call: ToolCall,
    context: { mode?: Mode; sessionRules?: readonly string[] } = {},
  ): Promise<PermissionVerdict> {
    const { permissionRules, permissionMode } = this.options.settings();
    return this.verdictOn(call, {
      rules: permissionRules,
      mode: context.mode ?? permissionMode,
      sessionRules: context.sessionRules,
      sandbox: await this.options.sandbox(),
      platform: platformOf(process.platform),
    });
  }

  /** The same for a call that is only asked about. */
  async explain(
    body: Explain,
  ): Promise<PermissionVerdict & { problems: ReturnType<typeof problemsOf> }> {
    const { permissionRules, permissionMode } = this.options.settings();
    const rules = body.rules === undefined ? permissionRules : textsOf(body.rules);
    const effect = body.effect ?? (await this.options.effectOf?.(body.tool));
    const call = { tool: body.tool, arguments: body.arguments, effect };
    const verdict = await this.verdictOn(call, {
      rules,
      mode: body.permissionMode ?? permissionMode,
      sandbox: body.sandbox ?? (await this.options.sandbox()),
      platform: body.platform ?? platformOf(process.platform),
    });
    return { ...verdict, problems: problemsOf(rules) };
  }

  private async verdictOn(given: ToolCall, context: JudgeContext): Promise<Verdict> {
    const call = this.withServer(given);
    const [first, ...others] = judgedNames(call);
    const under = (tool: string): Promise<Verdict> =>
      judge({ ...call, tool }, context, this.grammars);
    let verdict = await under(first.tool);
    for (const { tool, grants } of others) verdict = weightier(verdict, await under(tool), grants);
    return verdict;
  }

  private withServer(call: ToolCall): ToolCall {
    const server = call.server ?? this.options.serverOf?.(call.tool);
    return server === undefined ? call : { ...call, server };
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

function problemsOf(rules: RuleTexts) {
  return lists.flatMap((list) =>
    checkRules(rules[list]).problems.map((problem) => ({ list, ...problem })),
  );
}
