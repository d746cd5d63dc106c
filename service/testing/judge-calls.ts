import { join } from 'node:path';
import { Grammars } from '../features/permissions/shell/grammars.ts';
import { type JudgeContext, judge, type Verdict } from '../features/permissions/verdict/judge.ts';
import { builtInTool } from './built-in-tools.ts';
import type { ToolCall } from '../features/permissions/verdict/call.ts';

/** As the package brings them, so that tests need no build. */
export const testGrammars = new Grammars(
  join(import.meta.dirname, ...['..', '..', 'node_modules', '@vscode', 'tree-sitter-wasm', 'wasm']),
);

export interface RuleLines {
  deny?: readonly string[];
  ask?: readonly string[];
  allow?: readonly string[];
}

type Setting = Partial<Omit<JudgeContext, 'rules'>>;

/** Asked for approval, in a full sandbox on Linux, unless the setting says otherwise. */
export function judgeCall(
  call: ToolCall,
  rules: RuleLines,
  setting: Setting = {},
): Promise<Verdict> {
  const text = (lines: readonly string[] = []): string => lines.join('\n');
  return judge(
    { ...call, facets: call.facets ?? builtInTool(call.tool) ?? {} },
    {
      rules: { deny: text(rules.deny), ask: text(rules.ask), allow: text(rules.allow) },
      mode: 'ask-for-approval',
      sandbox: 'full',
      platform: 'linux',
      ...setting,
    },
    testGrammars,
  );
}

export function judgeCommand(
  command: string,
  rules: RuleLines,
  setting: Setting = {},
): Promise<Verdict> {
  return judgeCall(
    { tool: 'execute_command', arguments: { command }, effect: 'execute' },
    rules,
    setting,
  );
}
