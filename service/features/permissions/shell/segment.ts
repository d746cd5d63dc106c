import type { Message } from '../../../messages/index.ts';
/** A word of a command as the shell sees it before expansion. */
export interface Word {
  /** As it was written. */
  text: string;
  /** Without quotes; parts that only the shell knows are `unknownPart`. */
  value: string;
  /** True if nothing in it is expanded: no variable, substitution, glob or brace list. */
  literal: boolean;
  /** True if it may expand to an option that the text does not show. */
  mayHideOption: boolean;
}

/** Replaces a part of a decoded word that only the shell knows. Typed text never contains it. */
export const unknownPart = '\uFFFC';

/** A redirection of a shell command, such as `2> file`; `target` is null if it is not a file. */
export interface Redirection {
  operator: string;
  target: Word | null;
  /** The number before the operator, if there is one. */
  descriptor?: string;
  /** The input text, if it is literal text in the line itself. */
  input?: string;
}

/** A simple command, at any depth of the line. */
export interface Segment {
  /** The literal text: assignments and words as written, with single spaces between them. */
  text: string;
  /** Program and arguments; empty if there are only assignments or redirections. */
  argv: Word[];
  /** Names that are assigned before the program. */
  assignments: string[];
  redirections: Redirection[];
  /** True if it reads the output of another command. */
  piped?: boolean;
  /**
   * The command that runs this one, if a rule for that command can name it, and its text up to the
   * name.
   */
  ranBy?: { segment: Segment; upTo: string };
  /** Reason why it is unknown what it runs, null if it is known. */
  opaque: Message | null;
  /** Reason why no rule may allow it although it is understood, null if one may. */
  unsafe: Message | null;
}

/** All commands of a line, as far as its text tells. */
export interface CommandLine {
  segments: Segment[];
  /** Reason why the line as a whole cannot be understood, null if it can. */
  opaque: Message | null;
  /**
   * True if the line has only literal words joined by `|`, `||`, `&&`, `;` and newlines, so that it
   * runs exactly as written.
   */
  plain: boolean;
  /** True if it was too long, too deep or too slow to read completely. */
  tooMuch: boolean;
}

export function segmentOf(argv: Word[], parts: Partial<Segment> = {}): Segment {
  const text = argv.map((word) => word.text).join(' ');
  const rest = { assignments: [], redirections: [], opaque: null, unsafe: null };
  return { text, argv, ...rest, ...parts };
}

export function literalWord(value: string): Word {
  return { text: value, value, literal: true, mayHideOption: false };
}

/** Returns a word with unknown content, such as one that `xargs` reads. */
export function openWord(text: string): Word {
  return { text, value: unknownPart, literal: false, mayHideOption: true };
}
