import { isObject } from '../../../core/is-object.ts';
import { visibleText } from './visible-text.ts';

/** File next to the manifest that may declare language servers. */
export const languageServerFile = '.lsp.json';
const maxServers = 50;
const maxNameLength = 100;

/**
 * Names of the language servers in a field `lspServers` or in `.lsp.json`, which maps names to
 * servers or names another file. The host runs none of them, but lists them for users.
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

/** Servers of the manifest and of the file next to it, which the manifest may name, too. */
export function mergedServers(named: readonly string[], inFile: readonly string[]): string[] {
  return [...new Set([...named.filter((name) => !name.endsWith(languageServerFile)), ...inFile])];
}
