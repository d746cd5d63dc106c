import { visible } from '../../../platform/archives/archive-problems.ts';
import type { ContentWarnings } from './content-warnings.ts';
import { msg } from '../../../messages/index.ts';

const maxDeclared = 2_000;
const maxPathLength = 1_024;
/** Some authors write the path of the installed plugin; the variable stands for the plugin root. */
const rootVariable = /^\$\{(?:CLAUDE_PLUGIN_ROOT|HOST_PLUGIN_ROOT|PLUGIN_ROOT)\}(?=\/|$)/;

/** One value of a manifest field: a path in the plugin, or an object within the manifest. */
export type Declared = { path: string } | { inline: object; from: string };

/**
 * The values of the manifest field `field`, in order. Values that cannot be paths give warnings.
 */
export function declaredIn(field: string, value: unknown, warnings: ContentWarnings): Declared[] {
  if (value === undefined || value === null) return [];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (items.length > maxDeclared)
    warnings.add(field, msg('contributions.tooManyPlaces', { limit: maxDeclared }));
  return items.slice(0, maxDeclared).flatMap((item, index): Declared[] => {
    const from = Array.isArray(value) ? `${field}[${index}]` : field;
    if (typeof item === 'object' && item !== null) return [{ inline: item, from }];
    if (typeof item === 'string') {
      const path = pluginPathOf(item);
      if (path !== null) return [{ path }];
      warnings.add(from, msg('contributions.notPluginPath'));
    } else warnings.add(from, msg('contributions.notPathOrObject'));
    return [];
  });
}

/** Normalizes a path relative to the plugin, without `./`; null if it could lead out of it. */
export function pluginPathOf(written: string): string | null {
  const path = written.trim().replace(rootVariable, '.');
  if (path === '' || path.length > maxPathLength) return null;
  if (visible(path) !== path || path.includes('\\')) return null;
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return null;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? null : parts.join('/');
}
