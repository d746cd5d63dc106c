type Arguments = Readonly<Record<string, unknown>>;

/** A command line as a tool's arguments hold it. */
export interface CommandArguments {
  /** What is no text cannot be judged. */
  command: unknown;
  cwd?: unknown;
}

/**
 * What rules, modes, hooks and planners know of a tool beside its effect. They stand on the tool itself:
 * no list of names says them a second time. The arguments may be any object.
 */
export interface ToolFacets {
  /** The address that a call opens; empty where it cannot be read, undefined where the call opens none. */
  address?: (args: Arguments) => string | undefined;
  /** The command line that a call runs. */
  command?: (args: Arguments) => CommandArguments;
  /** The program that a call starts without a command line. */
  launches?: (args: Arguments) => string | undefined;
  /**
   * A call runs a workflow, that of `tool`; `grants`: what allows that tool allows the call, too.
   * Undefined where it cannot be told which one.
   */
  runsWorkflow?: (args: Arguments) => { tool: string; grants: boolean } | undefined;
  /** It has a guard of its own and runs in every mode, unless a rule says otherwise. */
  guarded?: boolean;
  /** It is there to ask a person, so neither a rule nor a mode answers in their place. */
  asksAPerson?: boolean;
  /** What neighbouring tools call it, so that hooks written for them fire. */
  aliases?: readonly string[];
}

/** The address in `url`, as most tools take it. */
export const urlIn = ({ url }: Arguments): string => (typeof url === 'string' ? url : '');
