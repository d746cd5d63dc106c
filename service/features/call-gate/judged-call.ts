import type { Tool, ToolResult, ToolRun } from '../tools/index.ts';
import type { HostText } from '../../messages/index.ts';

/** A tool call that is judged before it runs. */
export interface JudgedCall {
  callId: string;
  tool: Tool;
  arguments: Record<string, unknown>;
}

/** The verdict about a call, and its reason. */
export interface Judgement {
  /** `invalid`: the arguments do not fit the tool, so no hook or rule was consulted. */
  verdict: 'allow' | 'ask' | 'deny' | 'invalid';
  reason: HostText;
  /** JSON Schema of the tool, with the verdict `invalid`. */
  schema?: string;
  /** The rule that decided; absent if the mode or a hook did. */
  rule?: string;
  /** The command within a command line that decided. */
  segment?: string;
  /** Rules that would allow the call; empty if no rule can. */
  suggestedRules: string[];
  /** True if a hook requires approval. */
  hookAsks?: boolean;
  /** Value of `SessionRules.grants` at the time of the verdict. */
  grantsBefore?: number;
}

/** Judges and runs the tool calls of one turn or run. */
export interface CallGate {
  /** The tools available now. */
  tools(): Promise<Tool[]>;
  /** Checks arguments, hooks, rules and mode, in this order; `warn` receives failures of hooks. */
  judge(call: JudgedCall, warn: (message: HostText) => void): Promise<Judgement>;
  /**
   * Resolves when a rule that the user adds meanwhile, here or elsewhere, allows the call. Never
   * resolves for a call that only a direct answer can allow.
   */
  granted(call: JudgedCall, asked: Judgement, signal: AbortSignal): Promise<Judgement>;
  /**
   * Stores rules for the session, or permanently if `always`.
   * @throws HostError if a permanent rule is invalid
   */
  remember(rules: readonly string[], always: boolean): Promise<void>;
  run(tool: Tool, args: Record<string, unknown>, run: ToolRun): Promise<ToolResult>;
  /** Runs the hooks after a call; must be called for every call that ran. */
  ran(call: JudgedCall, result: ToolResult, warn: (message: HostText) => void): Promise<void>;
  /** True if commands run in the sandbox. */
  sandboxed: boolean;
}
