/** Limits of a JSON text: the nesting depth, and the number of values. */
export interface JsonLimits {
  levels: number;
  values: number;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const closeBracket = 0x5d;
const closeBrace = 0x7d;

/**
 * Returns the limit that a JSON text exceeds, before it is parsed: parsing millions of empty arrays
 * takes seconds, and serializing very deep values overflows the stack. Opening brackets and commas
 * outside strings count as values, so an empty array counts about twice. Stops at the first excess,
 * and where the text is certainly invalid.
 */
export function excessOf(text: string, limits: JsonLimits): 'levels' | 'values' | null {
  // The built-in search skips digits and spaces many times faster than a loop.
  const marks = /[",[\]{}]/g;
  let depth = 0;
  let values = 0;
  let strings = 0;
  while (marks.test(text)) {
    const code = text.charCodeAt(marks.lastIndex - 1);
    if (code === quote) {
      marks.lastIndex = endOfString(text, marks.lastIndex) + 1;
      strings += 1;
    } else if (code === closeBracket || code === closeBrace) {
      depth -= 1;
      if (depth < 0) return null;
    } else {
      values += 1;
      if (code !== comma) depth += 1;
    }
    if (depth > limits.levels) return 'levels';
    // At most one key and one string for each comma.
    if (values > limits.values || strings > 2 * limits.values + 2) return 'values';
  }
  return null;
}

/** Long strings rarely contain escapes, and the built-in search is many times faster. */
function endOfString(text: string, from: number): number {
  const at = text.indexOf('"', from);
  if (at === -1) return text.length;
  if (text.charCodeAt(at - 1) !== backslash) return at;
  let i = at - 1;
  while (text.charCodeAt(i) === backslash && i >= from) i -= 1;
  for (i += 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === backslash) i += 1;
    else if (code === quote) return i;
  }
  return text.length;
}
