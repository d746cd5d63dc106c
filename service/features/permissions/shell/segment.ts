import type { Message } from '../../../messages/index.ts';
/** One word of a command as the shell would see it before it expands anything. */
export interface Word {
  /** As it was written. */
  text: string;
  /** Without quotes; what only the shell knows is `unknownPart`. */
  value: string;
  /** Nothing in it is expanded: no variable, substitution, glob or brace list. */
  literal: boolean;
  /** It may turn out to be, or bring along, an option that is not to be seen here. */
  mayHideOption: boolean;
}

/** Stands in a decoded word for what only the shell knows. No text that is typed holds it. */
export const unknownPart = '\uFFFC';

/** A redirection of a shell command, such as `2> file`; `target` is null when it is not a file. */
export interface Redirection {
  operator: string;
  target: Word | null;
  /** The number in front of the operator, where one is written. */
  descriptor?: string;
  /** The text that is read, where it is written in the line itself and nothing in it is expanded. */
  input?: string;
}

/** A simple command, wherever in the line it stands. */
export interface Segment {
  /** The literal text: assignments and words as written, one blank between them. */
  text: string;
  /** Program and arguments; empty where there are only assignments or redirections. */
  argv: Word[];
  /** Names that are assigned in front of the program. */
  assignments: string[];
  redirections: Redirection[];
  /** It reads what another command writes. */
  piped?: boolean;
  /** The command that runs it, where a rule for that one can name it, and the text up to its name. */
  ranBy?: { segment: Segment; upTo: string };
  /** Why nobody can tell what it runs; null when one can. */
  opaque: Message | null;
  /** Why no rule may grant it, although it is understood; null when one may. */
  unsafe: Message | null;
}

/** Everything a line runs, as far as its text tells. */
export interface CommandLine {
  segments: Segment[];
  /** Why the line as a whole cannot be understood; null when it can. */
  opaque: Message | null;
  /** Literal words joined by `|`, `||`, `&&`, `;` and newlines: what is written is what runs. */
  plain: boolean;
  /** It was too long, too deep or too slow to look at in full. */
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

/** A word that comes from elsewhere, such as those `xargs` reads. */
export function openWord(text: string): Word {
  return { text, value: unknownPart, literal: false, mayHideOption: true };
}
