export interface JsonLimits {
  levels: number;
  values: number;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Says which limit a JSON text breaks, before anything is parsed: parsing millions of empty arrays
 * takes seconds, and writing very deep values back overflows the stack. Opening brackets and commas
 * outside strings count as values, so an empty array counts about twice. Stops at the first excess.
 */
export function excessOf(text: string, limits: JsonLimits): 'levels' | 'values' | null {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === quote) i = endOfString(text, i + 1);
    else if (code === comma) values += 1;
    else if (code === openBracket || code === openBrace) {
      values += 1;
      depth += 1;
      if (depth > limits.levels) return 'levels';
    } else if (code === closeBracket || code === closeBrace) depth -= 1;
    if (values > limits.values) return 'values';
  }
  return null;
}

/** Long strings are mostly free of escapes, where the built-in search is many times faster. */
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
