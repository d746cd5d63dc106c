/** The command line is wrong; `message` says how. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Where a command writes to. */
export interface Terminal {
  /** A line of the result. */
  print: (line: string) => void;
  /** A line about what is being done, or what went wrong. */
  log: (line: string) => void;
}

/** A command of the kit's command line. */
export interface Command {
  /** Behind the name of the command: `[directory…] [--json]`. */
  usage: string;
  /** One sentence. */
  summary: string;
  /** @returns the exit code: 0, or 1 with findings. @throws UsageError */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}
