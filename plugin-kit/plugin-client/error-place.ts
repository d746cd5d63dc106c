/** Where in the files of the plugin, such as `ui/main.js`; both numbers count from 1. */
export interface ErrorPlace {
  file: string;
  line?: number;
  column?: number;
}

const frame = /\/plugin-runtime\/[^/]+\/([^\s?#()]+?):(\d+):(\d+)/g;

/** The first place of the plugin's own files that a stack names. */
export function placeOfStack(stack: string): ErrorPlace | undefined {
  for (const [, path = '', line, column] of stack.matchAll(frame)) {
    const file = sourceFile(path);
    if (file !== undefined) return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}

/** Of what browsers say of a script; undefined for one that is not of the plugin. */
export function placeOfScript(
  url: string | null | undefined,
  line: number | null | undefined,
  column?: number | null,
): ErrorPlace | undefined {
  const path = /\/plugin-runtime\/[^/]+\/([^\s?#]+)/.exec(url ?? '')?.[1];
  const file = path === undefined ? undefined : sourceFile(path);
  if (file === undefined) return undefined;
  if (!line) return { file };
  return column ? { file, line, column } : { file, line };
}

export const placeText = ({ file, line, column }: ErrorPlace): string =>
  [file, line, column].filter((part) => part !== undefined).join(':');

/** What the host serves is not of the plugin, nor is what the kit put there. */
function sourceFile(path: string): string | undefined {
  if (/^(?:_host|plugin-kit)\//.test(path)) return undefined;
  try {
    return `ui/${decodeURIComponent(path)}`;
  } catch {
    return undefined;
  }
}
