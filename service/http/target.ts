/** The parsed request target that both the checks and the router use. */
export interface Target {
  /** As sent; contains no encoded separators, dot segments or empty segments. */
  path: string;
  query: string;
}

const plain = /^\/[\x21-\x7e]*$/;
const dotSegment = /(?:^|\/)\.{1,2}(?:\/|$)/;
const encodedSeparator = /%(?:2f|5c|00)/i;
const encodedByte = /%[0-9a-f]{2}/i;

/** Returns null for a target that is not a plain origin-form path. */
export function parseTarget(target: string): Target | null {
  if (!plain.test(target) || target.includes('#')) return null;
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  return isUnambiguous(path) ? { path, query: mark === -1 ? '' : target.slice(mark + 1) } : null;
}

function isUnambiguous(path: string): boolean {
  if (encodedSeparator.test(path)) return false;
  const decoded = path.includes('%') ? decode(path) : path;
  // A path that could be decoded once more is ambiguous.
  if (decoded === null || (decoded !== path && encodedByte.test(decoded))) return false;
  return !decoded.includes('\\') && !decoded.includes('//') && !dotSegment.test(decoded);
}

/** Null for invalid UTF-8. */
function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
