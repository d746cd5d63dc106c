import { RE2JS } from 're2js';

/** Limit of pattern instructions times text characters: within 100 ms also on a slow machine. */
const maxSteps = 500_000;

/** A compiled pattern with a bounded matching time. */
export interface LinearPattern {
  /** True if it matches anywhere in the text; null if the text is too long to search. */
  find: (text: string) => boolean | null;
}

/** Compiles an RE2 expression, whose matching time is linear in the text; null if it is invalid. */
export function linearPattern(pattern: string): LinearPattern | null {
  try {
    const compiled = RE2JS.compile(pattern);
    const size = compiled.programSize();
    return { find: (text) => (size * text.length > maxSteps ? null : compiled.test(text)) };
  } catch {
    return null;
  }
}
