type Arguments = Readonly<Record<string, unknown>>;

/** A command line in the arguments of a tool. */
export interface CommandArguments {
  /** Anything but a string cannot be judged. */
  command: unknown;
  cwd?: unknown;
}

/**
 * Properties of a tool beside its effect that rules, modes, hooks and planners use. Each tool
 * declares them itself; there is no second list of names. The arguments may be any object.
 */
export interface ToolFacets {
  /**
   * Returns the address that a call opens; empty if it cannot be read, undefined if the call opens
   * none.
   */
  address?: (args: Arguments) => string | undefined;
  /** Returns the command line that a call runs. */
  command?: (args: Arguments) => CommandArguments;
  /** Returns the program that a call starts without a command line. */
  launches?: (args: Arguments) => string | undefined;
  /**
   * Returns the workflow that a call runs, as its `tool`. `grants`: a rule that allows that tool
   * allows the call, too. Undefined if the workflow cannot be determined.
   */
  runsWorkflow?: (args: Arguments) => { tool: string; grants: boolean } | undefined;
  /** True if it has a guard of its own and runs in every mode, unless a rule says otherwise. */
  guarded?: boolean;
  /** True if it asks a person, so that neither a rule nor a mode may answer instead. */
  asksAPerson?: boolean;
  /** Names in similar tools, so that hooks written for them fire. */
  aliases?: readonly string[];
}

/** Returns the address in `url`, the usual parameter. */
export const urlIn = ({ url }: Arguments): string => (typeof url === 'string' ? url : '');
