import type { Tool, ToolResult, ToolRun } from '../tools/index.ts';
import type { HostText } from '../../messages/index.ts';

export interface JudgedCall {
  callId: string;
  tool: Tool;
  arguments: Record<string, unknown>;
}

export interface ServedJudgement {
  verdict: 'allow' | 'ask' | 'deny' | 'invalid';
  reason: HostText;
  /** Together they grant the call; empty where no rule can. */
  suggestedRules: readonly string[];
  /** A hook wants a person to be asked, whatever rules say. */
  hookAsks?: boolean;
}

/** Rules, hooks and mode around every call, as in a chat that asks for approval. */
export interface ServedGate {
  tools(): Promise<Tool[]>;
  judge(call: JudgedCall, warn: (message: HostText) => void): Promise<ServedJudgement>;
  run(tool: Tool, args: Record<string, unknown>, run: ToolRun): Promise<ToolResult>;
  ran(call: JudgedCall, result: ToolResult, warn: (message: HostText) => void): Promise<void>;
}
