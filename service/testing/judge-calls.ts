import { join } from 'node:path';
import { Grammars } from '../features/permissions/shell/grammars.ts';
import { type JudgeContext, judge, type Verdict } from '../features/permissions/verdict/judge.ts';
import { builtInTool } from './built-in-tools.ts';
import type { ToolCall } from '../features/permissions/verdict/call.ts';
import { textOf } from '../messages/index.ts';

/** From the npm packages, so that tests need no build. */
export const testGrammars = new Grammars(
  join(import.meta.dirname, ...['..', '..', 'node_modules', '@vscode', 'tree-sitter-wasm', 'wasm']),
);

/** Permission rules by kind. */
export interface RuleLines {
  deny?: readonly string[];
  ask?: readonly string[];
  allow?: readonly string[];
}

type Setting = Partial<Omit<JudgeContext, 'rules'>>;

/** A verdict with its reason in English. */
type EnglishVerdict = Omit<Verdict, 'reason'> & { reason: string };

/**
 * Judges a call in the mode that asks for approval, in a full sandbox on Linux, unless the options
 * override it.
 */
export async function judgeCall(
  call: ToolCall,
  rules: RuleLines,
  setting: Setting = {},
): Promise<EnglishVerdict> {
  const text = (lines: readonly string[] = []): string => lines.join('\n');
  const verdict = await judge(
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
  return { ...verdict, reason: textOf(verdict.reason) };
}

export function judgeCommand(
  command: string,
  rules: RuleLines,
  setting: Setting = {},
): Promise<EnglishVerdict> {
  return judgeCall(
    { tool: 'execute_command', arguments: { command }, effect: 'execute' },
    rules,
    setting,
  );
}
