import { isObject } from '../../../core/is-object.ts';
import { visibleText } from './visible-text.ts';

/** The file beside the manifest that may hold them. */
export const languageServerFile = '.lsp.json';
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
  const visibleNames = names
    .map((name) => visibleText(name, maxNameLength))
    .filter((name) => name !== null);
  return [...new Set(visibleNames)].slice(0, maxServers);
}

/** Those that a manifest names and those of the file beside it, which a manifest may name as such. */
export function mergedServers(named: readonly string[], inFile: readonly string[]): string[] {
  return [...new Set([...named.filter((name) => !name.endsWith(languageServerFile)), ...inFile])];
}
