/** The one reading of a request target that both the checks and the router use. */
export interface Target {
  /** As sent; holds no encoded separators, dot segments or empty segments. */
  path: string;
  query: string;
}

/** `%2f %5c %00 %25xx` would give a second reading of the path, so they are refused. */
const ambiguous = /%(?:2f|5c|00|25[0-9a-f]{2})/i;
const plain = /^\/[\x21-\x7e]*$/;
const dotSegment = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

/** Returns null for a target that is not one plain origin-form path. */
export function parseTarget(target: string): Target | null {
  if (!plain.test(target) || target.includes('#')) return null;
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  if (path.includes('\\') || path.includes('//') || dotSegment.test(path)) return null;
  if (path.includes('%')) {
    if (ambiguous.test(path) || !isDecodable(path)) return null;
  }
  return { path, query: mark === -1 ? '' : target.slice(mark + 1) };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
