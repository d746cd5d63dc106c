import { RE2JS } from 're2js';

/** Instructions of the pattern times characters of the text: within 100 ms also on a slow machine. */
const maxSteps = 500_000;

export interface LinearPattern {
  /** Whether it is found anywhere in the text; null when the text is too long to be looked at. */
  find: (text: string) => boolean | null;
}

/** A regular expression in RE2's syntax, whose time grows with the text alone; null when it is none. */
export function linearPattern(pattern: string): LinearPattern | null {
  try {
    const compiled = RE2JS.compile(pattern);
    const size = compiled.programSize();
    return { find: (text) => (size * text.length > maxSteps ? null : compiled.test(text)) };
  } catch {
    return null;
  }
}
