/** A position in a file of the plugin, such as `ui/main.js`. Line and column count from 1. */
export interface ErrorLocation {
  file: string;
  line?: number;
  column?: number;
}

const frame = /\/plugin-runtime\/[^/]+\/([^\s?#()]+?):(\d+):(\d+)/g;

/** Returns the first position in a stack that is in the plugin's own files. */
export function locationOfStack(stack: string): ErrorLocation | undefined {
  for (const [, path = '', line, column] of stack.matchAll(frame)) {
    const file = sourceFile(path);
    if (file !== undefined) return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}

/** Parses the position that browsers report for a script; undefined if it is not the plugin's. */
export function locationOfScript(
  url: string | null | undefined,
  line: number | null | undefined,
  column?: number | null,
): ErrorLocation | undefined {
  const path = /\/plugin-runtime\/[^/]+\/([^\s?#]+)/.exec(url ?? '')?.[1];
  const file = path === undefined ? undefined : sourceFile(path);
  if (file === undefined) return undefined;
  if (!line) return { file };
  return column ? { file, line, column } : { file, line };
}

export const locationText = ({ file, line, column }: ErrorLocation): string =>
  [file, line, column].filter((part) => part !== undefined).join(':');

/** Excludes files that the host serves or the kit added. */
function sourceFile(path: string): string | undefined {
  if (/^(?:_host|plugin-kit)\//.test(path)) return undefined;
  try {
    return `ui/${decodeURIComponent(path)}`;
  } catch {
    return undefined;
  }
}
