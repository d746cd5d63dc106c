/**
 * Returns true if a name matches a pattern, in which `*` stands for any characters. Linear in the
 * length of both.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return name === pattern;
  const end = rest.pop() ?? '';
  if (name.length < start.length + end.length) return false;
  if (!name.startsWith(start) || !name.endsWith(end)) return false;
  let position = start.length;
  const limit = name.length - end.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, position);
    if (found === -1 || found + piece.length > limit) return false;
    position = found + piece.length;
  }
  return true;
}
