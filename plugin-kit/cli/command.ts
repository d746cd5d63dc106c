/** An invalid command line; `message` says what is wrong. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Output of a command. */
export interface Terminal {
  /** Writes a line of the result to stdout. */
  print: (line: string) => void;
  /** Writes a progress or error line to stderr. */
  printStatus: (line: string) => void;
}

/** A command of the kit. */
export interface Command {
  /** Arguments after the command's name: `[directory…] [--json]`. */
  usage: string;
  /** One sentence. */
  summary: string;
  /** One sentence for each option of `usage`, by its name without the hyphens. */
  options: Readonly<Record<string, string>>;
  /**
   * Runs the command.
   * @returns the exit code: 0, or 1 with findings
   * @throws UsageError if the arguments are invalid
   */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}
