import { isObject } from './read-json.ts';
import { shownText } from './shown-text.ts';

const maxServers = 50;
const maxNameLength = 100;

/**
 * The names of language servers in a field `lspServers` or in a `.lsp.json`, which hold them by name,
 * or name the file that does. The host runs none; people are told which they do not get.
 */
export function languageServersIn(value: unknown): string[] {
  const names = Array.isArray(value)
    ? value.flatMap(languageServersIn)
    : isObject(value)
      ? Object.keys(value)
      : typeof value === 'string'
        ? [value]
        : [];
  const shown = names.map((name) => shownText(name, maxNameLength)).filter((name) => name !== null);
  return [...new Set(shown)].slice(0, maxServers);
}
