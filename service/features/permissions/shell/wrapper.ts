/** How a program that runs another one is called. */
export interface Wrapper {
  /** Options with a value of their own, as in `-n 5`: letters and long names. */
  values?: string;
  /** Options without a value. One that is in neither list makes the command unclear. */
  flags?: string;
  /** Words between the options and the command. */
  skip?: number;
  /** `NAME=value` may stand before the command. */
  assignments?: boolean;
  /** The words are joined and given to a shell. */
  joined?: boolean;
  /** An option whose value is given to a shell. */
  payload?: string;
  /** The program takes that value apart by rules of its own. */
  ownQuotes?: boolean;
  /** Words that the line does not show are added to the command. */
  appends?: boolean;
  /** With one of these it runs nothing. */
  idle?: string;
  /** A lone `-` is an option. */
  dash?: boolean;
  /** What its words run is told by its input, where no command is among them. */
  readsInput?: boolean;
  /** Its first word is a package, as in `@scope/name@1`. */
  packages?: boolean;
  /** Sub-commands that run another program; without one of them it runs none. */
  sub?: string;
  /** An option whose value, or else the text `{}`, stands for words that the line does not show. */
  placeholder?: string;
}
