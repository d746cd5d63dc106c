/** The syntax of a program that runs another one. */
export interface Wrapper {
  /** Options with a value, as in `-n 5`: letters and long names. */
  values?: string;
  /** Options without a value. An option in neither list makes the command unclear. */
  flags?: string;
  /** Number of words between the options and the command. */
  skip?: number;
  /** True if `NAME=value` may precede the command. */
  assignments?: boolean;
  /** True if the words are joined and run in a shell. */
  joined?: boolean;
  /** An option whose value runs in a shell. */
  payload?: string;
  /** True if the program splits that value by its own rules. */
  ownQuotes?: boolean;
  /** True if words that the line does not show are appended to the command. */
  appends?: boolean;
  /** With one of these options it runs nothing. */
  idle?: string;
  /** True if a lone `-` is an option. */
  dash?: boolean;
  /** True if its input contains the command when its words do not. */
  readsInput?: boolean;
  /** True if its first word is a package, as in `@scope/name@1`. */
  packages?: boolean;
  /** Sub-commands that run another program; without one of them it runs none. */
  sub?: string;
  /**
   * An option whose value, or by default the text `{}`, is replaced by words that the line does not
   * show.
   */
  placeholder?: string;
}
