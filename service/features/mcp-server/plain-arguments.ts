const maxCharacters = 2_000;

/**
 * Arguments for people, one value per line; list positions count from 1. Values of several lines
 * are indented, so that none of their lines looks like another argument.
 */
export function plainArguments(args: Readonly<Record<string, unknown>>): string {
  const lines = linesOf(args, '');
  if (lines.length === 0) return 'It is given no arguments.';
  const text = lines.join('\n');
  if (text.length <= maxCharacters) return text;
  return `${text.slice(0, maxCharacters).toWellFormed()} … (${text.length} characters)`;
}

function linesOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${oneValue(value)}`];
  const parts = Array.isArray(value)
    ? value.map((each: unknown, index) => [String(index + 1), each] as const)
    : Object.entries(value);
  if (parts.length === 0 && path !== '') return [`${path}: nothing`];
  return parts.flatMap(([name, each]) =>
    linesOf(each, [path, oneValue(name)].filter(Boolean).join(' › ')),
  );
}

const oneValue = (value: unknown): string =>
  String(value).replaceAll(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/g, '\n    ');
