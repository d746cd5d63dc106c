import type { Tool, ToolResult, ToolRun } from '../tools/index.ts';
import type { HostText } from '../../messages/index.ts';

export interface JudgedCall {
  callId: string;
  tool: Tool;
  arguments: Record<string, unknown>;
}

/** What is to happen with a call, and why. */
export interface Judgement {
  /** `invalid`: the tool does not take these arguments, so nobody was asked anything. */
  verdict: 'allow' | 'ask' | 'deny' | 'invalid';
  reason: HostText;
  /** Of arguments that do not fit it. */
  schema?: string;
  rule?: string;
  /** The command of a line that decided. */
  segment?: string;
  suggestedRules: string[];
  /** A hook wants a person to be asked. */
  hookAsks?: boolean;
  /** How many words that grant more than one call had been said before. */
  grantsBefore?: number;
}

/** What stands around the calls of a turn or a run. */
export interface CallGate {
  /** The tools as they are now. */
  tools(): Promise<Tool[]>;
  /** The arguments, then hooks, rules and mode, in this order; `warn` hears of hooks that failed. */
  judge(call: JudgedCall, warn: (message: HostText) => void): Promise<Judgement>;
  /**
   * For a call that has to be asked: resolves when a rule that a person gives meanwhile, here or
   * elsewhere, lets it run after all. Never, where only a word about this very call can.
   */
  granted(call: JudgedCall, asked: Judgement, signal: AbortSignal): Promise<Judgement>;
  /** Remembers rules for the session, or for good. Throws for what is no rule. */
  remember(rules: readonly string[], always: boolean): Promise<void>;
  run(tool: Tool, args: Record<string, unknown>, run: ToolRun): Promise<ToolResult>;
  /** Told of every call that ran. */
  ran(call: JudgedCall, result: ToolResult, warn: (message: HostText) => void): Promise<void>;
  /** Whether commands run in the sandbox. */
  sandboxed: boolean;
}
