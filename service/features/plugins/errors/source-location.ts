import type { ErrorLocation } from '../../../contract/index.ts';

/** `file:///…/backend/worker.mjs:12:9`, also `backend/lib/words.js:3`. */
const script = /(?:^|[\s(/])((?:backend|ui)\/[\w./-]+\.[mc]?[jt]s):(\d+)(?::(\d+))?/g;
/** `at plugin.Main.count(Main.java:20)`; frames of Java itself name their module. */
const java = /\bat (?!(?:java|jdk|sun|host)[./])[\w.$<>/]+\((\w+\.java):(\d+)\)/;

/**
 * Returns the first place in the plugin's own source that an error names; undefined if there is
 * none.
 */
export function sourceLocation(text: string): ErrorLocation | undefined {
  for (const [, file = '', line, column] of text.matchAll(script))
    if (!file.includes('/plugin-kit/')) return locationOf(file, line, column);
  const [, file, line] = java.exec(text) ?? [];
  return file === undefined ? undefined : locationOf(file, line);
}

function locationOf(file: string, line: string | undefined, column?: string): ErrorLocation {
  const location = { file, line: Number(line) };
  return column === undefined ? location : { ...location, column: Number(column) };
}
