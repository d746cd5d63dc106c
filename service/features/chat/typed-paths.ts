const maxPaths = 20;
const maxLength = 1_000;

/**
 * Returns the absolute paths in a text, in quotes or between spaces, without checking whether they
 * exist.
 */
export function typedPaths(text: string, platform = process.platform): string[] {
  const start = platform === 'win32' ? '(?:[A-Za-z]:[\\\\/]|\\\\\\\\)' : '/';
  const quoted = new RegExp(`(["'\`])(${start}[^"'\`\\n]*)\\1`, 'g');
  const bare = new RegExp(`(?<=^|[\\s(])(${start}[^\\s"'\`)]+)`, 'g');
  const found = [
    ...[...text.matchAll(quoted)].map(([, , path]) => path),
    ...[...text.replace(quoted, ' ').matchAll(bare)].map(([, path]) =>
      path?.replace(/[.,;:!?]+$/, ''),
    ),
  ];
  const paths = found.filter(
    (path): path is string => path !== undefined && path.length > 1 && path.length <= maxLength,
  );
  return [...new Set(paths)].slice(0, maxPaths);
}
