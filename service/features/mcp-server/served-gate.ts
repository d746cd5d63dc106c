import type { Tool, ToolResult, ToolRun } from '../tools/index.ts';
import type { HostText } from '../../messages/index.ts';

/** A tool call of a client. */
export interface JudgedCall {
  callId: string;
  tool: Tool;
  arguments: Record<string, unknown>;
}

/** The verdict about a tool call. */
export interface ServedJudgement {
  verdict: 'allow' | 'ask' | 'deny' | 'invalid';
  reason: HostText;
  /** Rules that together would allow the call; empty if no rule can. */
  suggestedRules: readonly string[];
  /** True if a hook requires approval regardless of rules. */
  hookAsks?: boolean;
}

/** Applies rules, hooks and mode to tool calls, as a chat with approval requests does. */
export interface ServedGate {
  tools(): Promise<Tool[]>;
  judge(call: JudgedCall, warn: (message: HostText) => void): Promise<ServedJudgement>;
  run(tool: Tool, args: Record<string, unknown>, run: ToolRun): Promise<ToolResult>;
  ran(call: JudgedCall, result: ToolResult, warn: (message: HostText) => void): Promise<void>;
}
